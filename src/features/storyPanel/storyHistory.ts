import type * as vscode from 'vscode';
import { stateWord, typeWord } from '../../core/backlog/stateWords.ts';
import type { ZonedDate } from '../../core/calendar.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import { commitOf } from '../../core/outbox/withUnsentIntents.ts';
import type { ReplicaAccount, ToldActivity } from '../../core/replica/replica.ts';
import type { ChangedStory } from '../../core/story/activity.ts';
import { type Ticket, UNESTIMATED } from '../../core/story/story.ts';
import { capitalized, shortHash, visibleLine } from '../../core/text.ts';
import { BUILT_IN_ID } from '../../host/accounts/account.ts';
import { rememberedNames } from '../../host/accounts/ownNames.ts';
import type { App } from '../../host/app.ts';
import { inBackground } from '../../host/shell/turnBudget.ts';
import { escaped, isolated, shownTime } from './html.ts';
import type { PanelStory } from './panelMessages.ts';
import type { PanelTexts } from './panelTexts.ts';

/** What is known of what happened to a story. */
export interface StoryHistory {
  /** Newest first. */
  readonly told: readonly ToldActivity[];
  /** There are older ones here. */
  readonly hasOlder: boolean;
  /** Its server may have older ones that are not here. */
  readonly mayHaveMore: boolean;
  /** What the person is called on the story's server; `undefined` while nobody knows. */
  readonly me: string | undefined;
}

export const noHistory: StoryHistory = { told: [], hasOlder: false, mayHaveMore: false, me: undefined };

/** Activities that are shown at first, and that each step adds. */
const STEP = 20;

interface Needs extends Pick<App, 'engine' | 'log' | 'workspaceMemory'> {
  /** How the local copy knows the story's account; `undefined` once it is signed out. */
  readonly account: () => Promise<ReplicaAccount | undefined>;
}

/** What happened to a story as the local copy knows it, followed while its tab is open. */
export class PanelHistory implements vscode.Disposable {
  private readonly needs: Needs;
  private readonly shows: PanelStory;
  private readonly changed: () => void;
  private readonly listening: vscode.Disposable;
  private limit = STEP;
  private told: readonly ToldActivity[] = [];
  private reading: Promise<unknown> | undefined;

  /** `changed` is called whenever there is something else to show. */
  constructor(needs: Needs, shows: PanelStory, changed: () => void) {
    this.needs = needs;
    this.shows = shows;
    this.changed = changed;
    this.listening = needs.engine.onDidChangeActivities(() => this.follow());
  }

  get shown(): StoryHistory {
    const { told, limit } = this;
    if (told.length === 0) return noHistory;
    const me = rememberedNames(this.needs.workspaceMemory)[this.shows.accountId];
    const mayHaveMore = this.shows.accountId !== BUILT_IN_ID;
    return { told: told.slice(0, limit), hasOlder: told.length > limit, mayHaveMore, me };
  }

  /** Reads again what is known. */
  follow(): void {
    inBackground(this.needs.log, this.read());
  }

  showOlder(): void {
    this.limit += STEP;
    this.follow();
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async read(): Promise<void> {
    const mine = this.answer();
    this.reading = mine;
    const told = await mine;
    // An answer that was overtaken is not shown.
    if (this.reading !== mine) return;
    this.told = told;
    this.changed();
  }

  /** One more than are shown, to know whether there are older ones. */
  private async answer(): Promise<readonly ToldActivity[]> {
    const { projectId, storyId } = this.shows;
    const account = await this.needs.account();
    if (!account) return [];
    const query = { accounts: [account], limit: this.limit + 1, story: { projectId, storyId } };
    return this.needs.engine.activityLog.told(query);
  }
}

/** Characters of a value, or of a server's sentence. */
const LONGEST = 300;

/** Who did what to the story, and when; empty where nothing is known. */
export function historyPart(storyId: number, history: StoryHistory, texts: PanelTexts): string {
  const { told, hasOlder, mayHaveMore, me } = history;
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
  const isWhole = !mayHaveMore || told.at(-1)?.activity.eventType === 'story_create';
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
  const commit = story?.changed.notes?.map(commitOf).find((one) => one !== undefined);
  if (commit) return [isolated(texts.linkedCommit(commit.hash && shortHash(commit.hash)))];
  const fields = story && activity.eventType === 'story_update' ? changedFields(story, me, texts) : [];
  return fields.length > 0 ? fields : [isolated(sentence(one, me, texts))];
}

function changedFields({ changed, cleared }: ChangedStory, me: string | undefined, texts: PanelTexts) {
  return fieldNames(texts.historyFields).flatMap((field) => {
    const label = escaped(texts.historyFields[field]);
    if (field === 'description' && (changed.description !== undefined || cleared.includes(field))) return [label];
    if (cleared.includes(field)) return [`${label}: ${escaped(texts.none)}`];
    const value = valueText(spokenValue(changed, field), texts);
    if (value === undefined) return [];
    const isName = field === 'ownedBy' || field === 'requestedBy';
    return [`${label}: ${isName && value === me ? escaped(texts.you) : isolated(visibleLine(value, LONGEST))}`];
  });
}

/** Of what the protocol has words for, what people call it. */
function spokenValue(changed: ChangedStory['changed'], field: keyof PanelTexts['historyFields']) {
  if (field === 'state') return changed.state && stateWord(changed.state);
  return field === 'type' ? changed.type && typeWord(changed.type) : changed[field];
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
  const isAbout = author !== undefined && line.startsWith(`${author} `);
  const withoutName = isAbout ? capitalized(line.slice(author.length + 1)) : line;
  return me !== undefined && withoutName === me ? happened : withoutName;
}
