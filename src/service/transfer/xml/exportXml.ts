import { arrayElement, type Element, floatElement, integerElement, parent, textElement } from '../../../v3/element.ts';
import { decimal, integer, present, rawText } from '../../../v3/fields.ts';
import { readChildList } from '../../../v3/list.ts';
import { noteElement } from '../../../v3/note.ts';
import { projectElement } from '../../../v3/project.ts';
import { storyElement } from '../../../v3/story.ts';
import { taskElement } from '../../../v3/task.ts';
import { writeDocument, writeElement } from '../../../v3/write.ts';
import { storedProject } from '../../cache/wholeProject.ts';
import type { Tx } from '../../store/database.ts';
import { type IterationOverride, partsOfProjects } from '../../store/projects/projectParts.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import { storyBatches, type WholeStory } from '../../store/stories/storyBatches.ts';
import { countStories } from '../../store/stories/storyRows.ts';

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
  const project = projectElement(storedProject(row, parts));
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
export function readExtras(project: Element): ProjectExtras {
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
