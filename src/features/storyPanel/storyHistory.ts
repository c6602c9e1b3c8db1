import type { ZonedDate } from '../../core/calendar.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import type { ToldActivity } from '../../core/replica/replica.ts';
import { visibleLine } from '../../core/shownText.ts';
import type { ChangedStory } from '../../core/story/activity.ts';
import { type Story, type Ticket, UNESTIMATED } from '../../core/story/story.ts';
import { escaped, isolated, shownTime } from './html.ts';
import type { PanelTexts } from './panelTexts.ts';

/** What is known of what happened to a story. */
export interface StoryHistory {
  /** Newest first. */
  readonly told: readonly ToldActivity[];
  /** There are older ones here. */
  readonly hasOlder: boolean;
  /** What the person is called on the story's server; `undefined` while nobody knows. */
  readonly me: string | undefined;
}

export const noHistory: StoryHistory = { told: [], hasOlder: false, me: undefined };

/** Characters of a value, or of a server's sentence. */
const LONGEST = 300;

/** Who did what to the story, and when; empty where nothing is known. */
export function historyPart(storyId: number, { told, hasOlder, me }: StoryHistory, texts: PanelTexts): string {
  if (told.length === 0) return '';
  const shown = told.filter((one, index) => !isPlacing(one, told[index + 1], storyId));
  const rows = shown.map((one) => {
    const { author, occurredAt } = one.activity;
    const who = isMe(one, me) ? escaped(texts.you) : isolated(author ?? texts.someone);
    const when = occurredAt === undefined ? '' : `<span class="quiet">${shownTime(occurredAt)}</span>`;
    const lines = whatHappened(one, storyId, me, texts).map((line) => `<div dir="auto">${line}</div>`);
    return `<li><div class="by"><strong>${who}</strong> ${when}</div>${lines.join('')}</li>`;
  });
  const older = `<div class="row"><button type="button" class="link" data-do="olderHistory" data-key="olderHistory">${escaped(texts.showOlderHistory)}</button></div>`;
  const rest = `<p class="quiet">${escaped(texts.noOlderHistory)}</p>`;
  const isWhole = told.at(-1)?.activity.eventType === 'story_create';
  return `<h2>${escaped(texts.history)}</h2><ul class="history" tabindex="-1" data-key="list-history">${rows.join('')}</ul>${hasOlder ? older : isWhole ? '' : rest}`;
}

/** Milliseconds after its creation in which a new story comes to its place, over a slow line too. */
const PLACING_MS = 10_000;

/** Servers put a story at the end of its list, so that one made elsewhere is moved by a request of its own, which nobody has done by hand. */
function isPlacing({ activity }: ToldActivity, before: ToldActivity | undefined, storyId: number): boolean {
  if (activity.eventType !== 'story_update' || before?.activity.eventType !== 'story_create') return false;
  const moved = activity.stories.find(({ id }) => id === storyId);
  if (!moved || activity.author !== before.activity.author) return false;
  const isOnlyMoved = moved.cleared.length === 0 && Object.keys(moved.changed).every((field) => field === 'rank');
  const since = (activity.occurredAt?.time ?? Number.NaN) - (before.activity.occurredAt?.time ?? Number.NaN);
  return isOnlyMoved && moved.changed.rank !== undefined && since >= 0 && since <= PLACING_MS;
}

function isMe({ activity, isOwn }: ToldActivity, me: string | undefined): boolean {
  return isOwn || (me !== undefined && activity.author === me);
}

/** Which fields are told, in this order. Others follow from these, or are told by the server's sentence. */
const TOLD: Readonly<Record<HistoryField, true>> = {
  name: true,
  type: true,
  state: true,
  estimate: true,
  ownedBy: true,
  requestedBy: true,
  labels: true,
  deadline: true,
  ticket: true,
  description: true,
};
type HistoryField = keyof Pick<
  Story,
  'name' | 'type' | 'state' | 'estimate' | 'ownedBy' | 'requestedBy' | 'labels' | 'deadline' | 'ticket' | 'description'
>;

/** The fields that changed, as HTML; where none did, the server's sentence without the name at its beginning. */
function whatHappened(
  one: ToldActivity,
  storyId: number,
  me: string | undefined,
  texts: PanelTexts,
): readonly string[] {
  const { activity } = one;
  const story = activity.stories.find(({ id }) => id === storyId);
  if (activity.eventType === 'story_create') return [escaped(texts.storyCreated)];
  const fields = story && activity.eventType === 'story_update' ? changedFields(story, me, texts) : [];
  return fields.length > 0 ? fields : [isolated(sentence(one, me, texts))];
}

function changedFields({ changed, cleared }: ChangedStory, me: string | undefined, texts: PanelTexts) {
  return fieldNames(TOLD).flatMap((field) => {
    const label = escaped(texts.historyFields[field]);
    if (field === 'description' && (changed.description !== undefined || cleared.includes(field))) return [label];
    if (cleared.includes(field)) return [`${label}: ${escaped(texts.none)}`];
    const value = valueText(changed[field], texts);
    if (value === undefined) return [];
    const isName = field === 'ownedBy' || field === 'requestedBy';
    return [`${label}: ${isName && value === me ? escaped(texts.you) : isolated(visibleLine(value, LONGEST))}`];
  });
}

function valueText(
  value: string | number | readonly string[] | ZonedDate | Ticket | undefined,
  texts: PanelTexts,
): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'number') return value === UNESTIMATED ? texts.unestimated : texts.points(value);
  if ('externalId' in value) return value.externalId;
  return 'text' in value ? value.text : value.join(', ');
}

function sentence({ activity }: ToldActivity, me: string | undefined, { happened }: PanelTexts): string {
  const { author, description, eventType } = activity;
  const line = visibleLine(description, LONGEST) || visibleLine(eventType, LONGEST) || happened;
  const withoutName = author !== undefined && line.startsWith(`${author} `) ? line.slice(author.length + 1) : line;
  return me !== undefined && withoutName === me ? happened : withoutName;
}
