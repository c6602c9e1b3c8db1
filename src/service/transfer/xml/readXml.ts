import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Project } from '../../../core/story/project.ts';
import type { Element } from '../../../v3/element.ts';
import { child, date, word } from '../../../v3/fields.ts';
import { readProject } from '../../../v3/project.ts';
import { readItems } from '../../../v3/read.ts';
import { readStory } from '../../../v3/story.ts';
import { XmlError } from '../../../v3/xmlError.ts';
import type { ReadFile } from '../csv/readCsv.ts';
import type { KnownStory } from '../import/importedProject.ts';
import { type ImportedStory, importedStory } from '../import/importedStory.ts';
import type { Remarking, Remarks } from '../import/remarks.ts';
import { type ProjectExtras, readExtras } from './exportXml.ts';

/** Where stories stand in the documents of the API, and in an export, which is a project with its stories. */
const PATHS = ['story', 'iteration/stories/story', 'stories/story', 'iterations/iteration/stories/story'];
const ROOTS = ['project', 'stories', 'iterations'];

/** A project as a document tells it. */
export interface XmlProject {
  readonly project: Project;
  readonly extras: ProjectExtras;
  /** Some of its stories, by which it is known again. */
  readonly stories: readonly KnownStory[];
}

const MOST_KNOWN = 200;
/** Bytes of one story, and of all that is beside the stories: a story with more comments than any may have here is far below. */
const LARGEST_ITEM = 64 * 1024 * 1024;

/** What a document says of its project; undefined when it is a list only. Reads all of it, so that a broken one is refused. */
export async function readXmlProject(path: string): Promise<XmlProject | undefined> {
  const { size } = await stat(path);
  const stories: KnownStory[] = [];
  let count = 0;
  const note = (item: Element): void => {
    count += 1;
    if (stories.length >= MOST_KNOWN) return;
    const { time } = date(item, 'created_at') ?? {};
    if (time !== undefined) stories.push({ id: word(item, 'id') ?? '', createdAt: time });
  };
  const chunks = inSmallItems(createReadStream(path), () => count);
  const root = await readItems(chunks, PATHS, note, { limit: size + 1 });
  if (!ROOTS.includes(root.name)) {
    throw new XmlError(`This XML document is about "${root.name}". A project, stories or iterations can be imported.`);
  }
  return root.name === 'project' ? { project: readProject(root), extras: readExtras(root), stories } : undefined;
}

/** Hands over the stories of a document one after the other, each when the one before is done with. */
export async function readXmlStories(
  { path, remarks, onBytes }: ReadFile,
  onStory: (story: ImportedStory) => Promise<void>,
): Promise<void> {
  const { size } = await stat(path);
  const file = createReadStream(path);
  let waiting: Element[] = [];
  let row = 0;
  const handOver = async (): Promise<void> => {
    const items = waiting;
    waiting = [];
    for (const item of items) {
      row += 1;
      const story = storyOf(item, row, remarks);
      if (story) await onStory(story);
    }
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of file) {
      yield chunk;
      onBytes(file.bytesRead);
      await handOver();
    }
  }
  await readItems(chunks(), PATHS, (item) => waiting.push(item), { limit: size + 1 });
  await handOver();
}

/** The same bytes. Throws where there are very many between two items, which would all be held. */
async function* inSmallItems(chunks: AsyncIterable<Uint8Array>, items: () => number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  let since = 0;
  for await (const chunk of chunks) {
    since = items() === seen ? since + chunk.length : chunk.length;
    seen = items();
    if (since > LARGEST_ITEM) throw new XmlError('A story in this XML document is larger than 64 MiB.');
    yield chunk;
  }
}

function storyOf(element: Element, row: number, remarks: Remarks): ImportedStory | undefined {
  const id = child(element, 'id')?.text.trim() ?? '';
  const remark: Remarking = (column, value, why) => remarks.add({ row, id, column, value, why });
  try {
    return importedStory(readStory(element), row, remark);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    remark('story', id, `${error.message} The story was left out.`);
    return undefined;
  }
}
