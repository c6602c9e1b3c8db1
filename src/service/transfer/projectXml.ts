import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Project } from '../../core/story/project.ts';
import { arrayElement, type Element, floatElement, integerElement, parent, textElement } from '../../v3/element.ts';
import { child, date, decimal, integer, present, rawText, word } from '../../v3/fields.ts';
import { readChildList } from '../../v3/list.ts';
import { noteElement } from '../../v3/note.ts';
import { projectElement, readProject } from '../../v3/project.ts';
import { readItems } from '../../v3/read.ts';
import { readStory, storyElement } from '../../v3/story.ts';
import { taskElement } from '../../v3/task.ts';
import { writeDocument, writeElement } from '../../v3/write.ts';
import { XmlError } from '../../v3/xmlError.ts';
import { storedProject } from '../cache/wholeProject.ts';
import type { Tx } from '../store/database.ts';
import { type IntegrationRow, type IterationOverride, partsOfProjects } from '../store/projects/projectParts.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { storyBatches, type WholeStory } from '../store/stories/storyBatches.ts';
import { countStories } from '../store/stories/storyRows.ts';
import type { ReadFile } from './csv/readCsv.ts';
import { type ImportedStory, importedStory } from './import/importedStory.ts';
import type { Remarking, Remarks } from './import/remarks.ts';

const HOLE: Element = { name: 'hole', attributes: {}, children: [], text: '' };
/** How many elements are around a story. */
const DEPTH = 2;

interface XmlWishes {
  /** The service's address, for those of stories. */
  readonly base?: string;
  /** Whether it says where the project's activity is posted to. */
  readonly hasWebHook?: boolean;
}

/** The project and its stories as one document of the v3 API, in pieces. */
export async function* exportXml(
  tx: Tx,
  row: ProjectRow,
  { base, hasWebHook = false }: XmlWishes,
): AsyncGenerator<string> {
  const count = await countStories(tx, row.id);
  const parts = (await partsOfProjects(tx, [row.id]))(row.id);
  const project = projectElement(withTicketUrls(storedProject(row, parts), parts.integrations));
  const { overrides } = parts;
  const { webHookUrl } = row;
  const extras = extraElements({ overrides, ...(hasWebHook && webHookUrl !== null && { webHookUrl }) });
  const holes = count > 0 ? [HOLE] : [];
  const stories = arrayElement('stories', holes, { count: String(count), total: String(count) });
  const text = writeDocument({ ...project, children: [...project.children, ...extras, stories] });
  const hole = writeElement(HOLE, DEPTH);
  const at = count > 0 ? text.lastIndexOf(hole) : text.length;
  yield text.slice(0, at);
  for await (const batch of storyBatches(tx, row)) {
    for (const whole of batch) yield* storyText(whole, base);
  }
  yield text.slice(at + hole.length);
}

/** The API's own documents of projects do not tell them. */
function withTicketUrls(project: Project, rows: readonly IntegrationRow[]): Project {
  const urls = new Map(rows.map(({ id, ticketUrl }) => [id, ticketUrl]));
  const integrations = project.integrations.map((integration) => {
    const baseUrl = urls.get(integration.id) ?? undefined;
    return baseUrl === undefined ? integration : { ...integration, baseUrl };
  });
  return { ...project, integrations };
}

/** Comments and tasks that are read later stand where the lists of those before end. */
async function* storyText({ story, further }: WholeStory, base: string | undefined): AsyncGenerator<string> {
  const text = writeElement(storyElement(exported(story, base)), DEPTH);
  let from = 0;
  const to = (end: number): string => {
    const piece = text.slice(from, end);
    from = end;
    return piece;
  };
  for await (const { notes, tasks } of further()) {
    if (notes.length > 0) yield to(endOfList(text, 'notes'));
    if (tasks.length > 0) yield to(endOfList(text, 'tasks'));
    for (const element of [...notes.map(noteElement), ...tasks.map(taskElement)])
      yield writeElement(element, DEPTH + 2);
  }
  yield to(text.length);
}

/** Where the line begins that closes a list of the story. */
function endOfList(text: string, name: string): number {
  return text.lastIndexOf('\n', text.lastIndexOf(`</${name}>`)) + 1;
}

type Exported = Parameters<typeof storyElement>[0];

/** The order is that of the document, so that ranks say nothing. */
function exported({ rank: _, ...story }: Exported, base: string | undefined): Exported {
  return base === undefined ? story : { ...story, url: `${base}/story/show/${story.id}` };
}

/** Where stories stand in the documents of the API, and in an export, which is a project with its stories. */
const PATHS = ['story', 'iteration/stories/story', 'stories/story', 'iterations/iteration/stories/story'];
const ROOTS = ['project', 'stories', 'iterations'];

/** A story by what never changes of it where it came from. */
export interface KnownStory {
  readonly id: string;
  readonly createdAt: number;
}

/** A project as a document tells it. */
export interface XmlProject {
  readonly project: Project;
  readonly extras: ProjectExtras;
  /** Some of its stories, by which it is known again. */
  readonly stories: readonly KnownStory[];
}

/** One story has fewer, with as many comments and tasks as a story holds; of what they are, attributes say nothing that counts. */
const LIMITS = { elements: 100_000, keepsAttributes: false } as const;
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
  const root = await readItems(chunks, PATHS, note, { ...LIMITS, limit: size + 1 });
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
  await readItems(chunks(), PATHS, (item) => waiting.push(item), { ...LIMITS, limit: size + 1 });
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

/** What a project has that the API's documents do not tell; elements of ours, beside theirs in an export. */
export interface ProjectExtras {
  readonly overrides: readonly IterationOverride[];
  /** Only where it was asked for: who knows the address may be able to post there. */
  readonly webHookUrl?: string;
}

const OVERRIDES = 'iteration_overrides';
const OVERRIDE = 'iteration_override';
const WEB_HOOK_URL = 'web_hook_url';

function extraElements({ overrides, webHookUrl }: ProjectExtras): readonly Element[] {
  const list = overrides.length > 0 ? [arrayElement(OVERRIDES, overrides.map(overrideElement))] : [];
  const url = textElement(WEB_HOOK_URL, webHookUrl);
  return url ? [...list, url] : list;
}

/** What is not understood of them is left out. */
function readExtras(project: Element): ProjectExtras {
  const overrides = readChildList(project, OVERRIDES, OVERRIDE, readOverride).flatMap((one) => one ?? []);
  return present({ overrides, webHookUrl: rawText(project, WEB_HOOK_URL)?.trim() || undefined });
}

function overrideElement({ number, teamStrength, weeks }: IterationOverride): Element {
  return parent(OVERRIDE, [
    integerElement('number', number),
    integerElement('length', weeks ?? undefined),
    floatElement('team_strength', teamStrength),
  ]);
}

const MOST_WEEKS = 4;
const MOST_STRENGTH = 10;
const LAST_NUMBER = 100_000;

function readOverride(element: Element): IterationOverride | undefined {
  const [number = 0, weeks] = [integer(element, 'number'), integer(element, 'length')];
  const teamStrength = decimal(element, 'team_strength') ?? 1;
  const isPossible = number >= 1 && number <= LAST_NUMBER && teamStrength >= 0 && teamStrength <= MOST_STRENGTH;
  if (!isPossible || (weeks !== undefined && (weeks < 1 || weeks > MOST_WEEKS))) return undefined;
  return { number, teamStrength, weeks: weeks ?? null };
}
