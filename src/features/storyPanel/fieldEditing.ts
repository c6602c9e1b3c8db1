import { isCancelled, kindOf, messageOf, TrackerError } from '../../core/errors.ts';
import { editedStory, pendingStory } from '../../core/intents/edit.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { Membership } from '../../core/story/project.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story, StoryEdit } from '../../core/story/story.ts';
import { asServersKeep, folded } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import type { DraftMemory } from './draftMemory.ts';
import { type FieldsToPage, type OfferedDraft, writtenLabels } from './fieldMessages.ts';
import type { PanelTexts } from './panelTexts.ts';
import {
  type Draft,
  type DraftField,
  draftBase,
  draftFields,
  draftState,
  type FieldTexts,
  isDraftField,
  isSameText,
} from './storyDrafts.ts';
import { fieldEdit, fieldTexts, knownEdit } from './storyFields.ts';

/** What is to become of one story; the story as it is shown before. */
interface WantedEdit {
  readonly story: Story;
  readonly intent: Intent;
}

/**
 * Makes changes that the one undo takes back; rejects in the server's words when it refuses one. Resolves to the stories with
 * which the server answered, where they are not as they were wanted.
 */
type ApplyEdits = (key: ProjectKey, wanted: readonly WantedEdit[], done: string) => Promise<readonly Story[]>;

export interface FieldNeeds extends Pick<App, 'backlogs' | 'log'> {
  readonly applyEdits: ApplyEdits;
}

/** The person was asked for something that the change needs, and gave nothing. */
const TURNED_AWAY = Symbol('turned away');

interface Shown {
  readonly key: ProjectKey;
  readonly storyId: number;
  /** The story as it is shown now. */
  readonly story: () => Story | undefined;
  readonly members: () => readonly Membership[];
  /** An edit with the estimate that the story needs for it, which the person is asked for; `undefined` when they turned away. */
  readonly estimated: (story: Story, edit: StoryEdit) => Promise<StoryEdit | undefined>;
  readonly tell: (message: FieldsToPage) => unknown;
}

/** Saves what is written into the fields of one story, each by itself, and keeps it until it is safe. */
export class FieldEditing {
  private readonly needs: FieldNeeds;
  private readonly memory: DraftMemory;
  private readonly shown: Shown;
  private readonly texts: PanelTexts;
  private readonly problems = new Map<DraftField, string>();
  /** What is on its way to the story. */
  private readonly saving = new Map<DraftField, string>();
  private saved: Promise<unknown> = Promise.resolve();
  private isWritten = false;
  /** Entries of the outbox that the page was told to have failed, and what it was told of each. */
  private readonly toldEntries = new Map<string, readonly OfferedDraft[]>();
  /** Those of them that are tried again. */
  private retried: ReadonlySet<string> = new Set();
  /** Those of them that the person has decided about in this tab. */
  private readonly released = new Set<string>();

  constructor(needs: FieldNeeds, memory: DraftMemory, shown: Shown, texts: PanelTexts) {
    this.needs = needs;
    this.memory = memory;
    this.shown = shown;
    this.texts = texts;
  }

  /** Everything that is written and not saved, for a page that knows nothing of it. */
  async offerAll(): Promise<void> {
    const drafts = new Map<DraftField, OfferedDraft>();
    for (const failed of this.failedEdits()) {
      this.toldEntries.set(failed.id, failed.drafts);
      for (const draft of failed.drafts) drafts.set(draft.field, draft);
    }
    const story = this.shown.story();
    const now = story && fieldTexts(story);
    for (const draft of this.memory.all()) {
      const { field, text } = draft;
      const sent = this.saving.get(field);
      const problem = this.problems.get(field) ?? '';
      const offered = sent === text ? { isSent: true } : { base: draftBase(draft.base, sent, now?.[field]) };
      drafts.set(field, { ...draft, ...offered, problem, ...this.otherOf(draft, now) });
    }
    if (story) await this.forgetStored(story, [...drafts.values()]);
    if (drafts.size > 0) this.shown.tell({ type: 'drafts', drafts: [...drafts.values()], isKept: true });
  }

  /** What another window has of the field, where that is another text and the story has it not. */
  private otherOf({ field, text: shown }: Draft, now: FieldTexts | undefined): Pick<OfferedDraft, 'other'> {
    const other = this.memory.otherDraftOf(field);
    if (!other || isSameText(other.text, shown) || (now && draftState(other, now[field]) === 'stored')) return {};
    return { other: { base: other.base, text: other.text } };
  }

  /** A change that waited and was refused then comes back as what was being written, until the person decides about it elsewhere. */
  async offerFailed(): Promise<void> {
    // Whoever has signed out sees none of it, and has it again later.
    if (!this.needs.backlogs.peek(this.shown.key)) return;
    const there = new Map(this.needs.backlogs.unsent.map(({ id, state }) => [id, state]));
    const ended = [...this.toldEntries].filter(([id]) => !there.has(id));
    const failed = this.failedEdits().filter(({ id }) => !this.toldEntries.has(id) || this.retried.has(id));
    this.retried = new Set([...this.toldEntries.keys()].filter((id) => there.get(id) !== 'failed'));
    for (const one of failed) this.toldEntries.set(one.id, one.drafts);
    for (const [id] of ended) this.toldEntries.delete(id);
    const drafts = failed.flatMap((one) => one.drafts).filter(({ field }) => !this.memory.draftOf(field));
    if (drafts.length > 0) this.shown.tell({ type: 'drafts', drafts });
    const decided = ended.filter(([id]) => !this.released.delete(id)).flatMap(([, withdrawn]) => withdrawn);
    for (const draft of decided) await this.withdraw(draft);
  }

  /** What was written on since stays. */
  private async withdraw({ field, text }: Draft): Promise<void> {
    const kept = this.memory.draftOf(field);
    if (kept && !isSameText(kept.text, text)) return;
    await this.memory.forget(field);
    this.problems.delete(field);
    this.shown.tell({ type: 'draftWithdrawn', field, text });
  }

  async keep(draft: Draft, sent?: string): Promise<void> {
    this.isWritten = true;
    const story = this.shown.story();
    const saved = story && !this.saving.has(draft.field) ? fieldTexts(story)[draft.field] : undefined;
    const base = draftBase(draft.base, sent, saved);
    await this.memory.store({ ...draft, base });
  }

  /** What was written here and is not saved; none where it was only kept from before. */
  get unsaved(): readonly Draft[] {
    if (!this.isWritten) return [];
    const story = this.shown.story();
    const now = story && fieldTexts(story);
    const isUnsaved = (draft: Draft) => !now || draftState(draft, now[draft.field]) !== 'stored';
    return this.memory.all().filter((draft) => this.saving.get(draft.field) !== draft.text && isUnsaved(draft));
  }

  /** Resolves when the story has all that is on its way now, or has refused it. */
  async whenSaved(): Promise<void> {
    await this.saved;
  }

  /** Everything that is written and not saved, whenever it was. */
  get kept(): readonly Draft[] {
    return this.memory.all();
  }

  /** Discards drafts that nobody has gone on with since, and gives those. */
  async discardAll(drafts: readonly Draft[]): Promise<readonly Draft[]> {
    const discarded = drafts.filter(({ field, text }) => this.memory.draftOf(field)?.text === text);
    for (const { field } of discarded) await this.discard(field);
    return discarded;
  }

  async discard(field: DraftField): Promise<void> {
    await this.memory.forget(field);
    this.problems.delete(field);
    await this.releaseFailed(field);
  }

  /**
   * Saves a draft, unless someone else has written since; what is refused stays with the reason. `sent` is what the page gave
   * before and has had no answer to.
   */
  save(draft: Draft, sent?: string): Promise<void> {
    this.isWritten = true;
    const saving = this.trySaving(draft, sent);
    this.saved = Promise.allSettled([this.saved, saving]);
    return saving;
  }

  private async trySaving(draft: Draft, sent: string | undefined): Promise<void> {
    const { field, text } = draft;
    this.saving.set(field, text);
    this.problems.delete(field);
    try {
      await this.memory.store(draft);
      const answer = await this.submit(draft, sent);
      if (answer === TURNED_AWAY) {
        await this.withdraw(draft);
        return;
      }
      const kept = answer && this.keptInstead(draft, answer);
      if (kept !== undefined) {
        await this.refuse({ ...draft, base: kept }, new TrackerError('refused', this.texts.writing.notKept));
        return;
      }
    } catch (thrown) {
      await this.refuse(draft, thrown);
      return;
    } finally {
      if (this.saving.get(field) === text) this.saving.delete(field);
    }
    this.problems.delete(field);
    const kept = this.memory.draftOf(field);
    if (isSameText(kept?.text ?? text, text)) await this.memory.forget(field);
    else if (kept && field !== 'labels') await this.memory.store({ ...kept, base: text });
    await this.releaseFailed(field);
    this.shown.tell({ type: 'fieldSaved', field, text });
  }

  async removeLabel(label: string): Promise<void> {
    const story = this.shown.story();
    if (story) await this.changeLabels(story, [], [label]);
  }

  /** Resolves to the story with which the server answered, where that is not as it was wanted. */
  private async submit(draft: Draft, sent: string | undefined): Promise<Story | typeof TURNED_AWAY | undefined> {
    const { field, text } = draft;
    const story = this.shown.story();
    if (!story) throw new TrackerError('notFound', this.texts.writing.notRead);
    if (field === 'labels') {
      await this.changeLabels(story, writtenLabels(text), []);
      return undefined;
    }
    const members = this.shown.members().map(({ person }) => person.name);
    const written = fieldEdit(field, text, members, this.texts);
    const now = fieldTexts(story)[field];
    const state = draftState({ text, base: draftBase(draft.base, sent, now) }, now);
    if (state === 'conflict') throw new Error(this.texts.writing.changedSince);
    if (state === 'stored') return undefined;
    const edit = await this.shown.estimated(story, written);
    if (!edit) return TURNED_AWAY;
    const known = knownEdit(field, story);
    const [answer] = await this.apply(story, { kind: 'edit', storyId: story.id, edit, known }, field);
    return answer;
  }

  /**
   * What the person goes on from where a server has taken a text and answers that it stored none or only the beginning of it.
   * What a later look shows tells nothing: others may have written since.
   */
  private keptInstead({ field, base, text }: Draft, answer: Story): string | undefined {
    if ((field !== 'name' && field !== 'description') || this.saving.get(field) !== text) return undefined;
    const [stored, wanted, before] = [fieldTexts(answer)[field], text, base].map(wordsOf);
    const isCut = stored !== wanted && (stored === before || (stored !== '' && wanted?.startsWith(stored ?? '')));
    return isCut ? fieldTexts(answer)[field] : undefined;
  }

  private async changeLabels(story: Story, add: readonly string[], remove: readonly string[]): Promise<void> {
    const { labels } = story;
    if (add.length + remove.length === 0) return;
    await this.apply(story, { kind: 'labels', storyId: story.id, change: { add, remove }, known: labels }, 'labels');
  }

  private apply(story: Story, intent: Intent, field: DraftField): Promise<readonly Story[]> {
    const done = this.texts.writing.savedField(field, story.id);
    return this.needs.applyEdits(this.shown.key, [{ story, intent }], done);
  }

  private async refuse(draft: Draft, thrown: unknown): Promise<void> {
    const { log, backlogs } = this.needs;
    const { key, storyId } = this.shown;
    log.error(thrown instanceof Error ? thrown : String(thrown));
    const problem = isCancelled(thrown) ? '' : messageOf(thrown);
    this.problems.set(draft.field, problem);
    // A tab that was opened since took it for stored, as the story showed it.
    const kept = this.memory.draftOf(draft.field);
    if (!kept || isSameText(kept.text, draft.text)) await this.memory.store(draft);
    if (kindOf(thrown) === 'conflict') {
      await backlogs.refreshStory(key, storyId).catch((failure: unknown) => log.debug(messageOf(failure)));
    }
    this.shown.tell({ type: 'drafts', drafts: [{ ...draft, problem }] });
  }

  private async forgetStored(story: Story, drafts: readonly Draft[]): Promise<void> {
    const now = fieldTexts(story);
    const stored = drafts.filter((draft) => draftState(draft, now[draft.field]) === 'stored');
    for (const { field } of stored) if (!this.saving.has(field)) await this.discard(field);
  }

  /** Edits of this story that waited in the outbox and were refused, as what was written into its fields. */
  private failedEdits(): readonly { readonly id: string; readonly drafts: readonly OfferedDraft[] }[] {
    const { key, storyId } = this.shown;
    return this.needs.backlogs.unsent.flatMap(({ id, state, project, intent, problem }) => {
      const isOurs = state === 'failed' && isSameProject(project, key) && intent.storyId === storyId;
      if (!isOurs || intent.kind !== 'edit' || !intent.known || !isWritable(intent.edit)) return [];
      const [base, text] = [textsOf(intent.known), textsOf(intent.edit)];
      const fields = draftFields.filter((field) => field in intent.edit);
      const drafts = fields.map((field) => ({
        field,
        base: base[field],
        text: text[field],
        problem: problem?.message ?? '',
      }));
      return drafts.length > 0 ? [{ id, drafts }] : [];
    });
  }

  /** Takes what failed for a field off the outbox, once the person has decided; what it was to do to other fields is kept. */
  private async releaseFailed(field: DraftField): Promise<void> {
    for (const { id, drafts } of this.failedEdits()) {
      if (!drafts.some((draft) => draft.field === field)) continue;
      for (const draft of drafts) {
        if (draft.field !== field && !this.memory.draftOf(draft.field)) await this.memory.store(draft);
      }
      this.released.add(id);
      await this.needs.backlogs.discard(id);
    }
  }
}

/** A text as servers that change its blanks or the form of its characters keep it. */
function wordsOf(text: string): string {
  return folded(asServersKeep(text)).replace(/\s+/g, ' ');
}

/** Whether drafts can hold all that an edit is to do; what they cannot, such as whole lists of labels, is left to the outbox. */
function isWritable(edit: StoryEdit): boolean {
  return Object.keys(edit).every((name) => name !== 'labels' && isDraftField(name));
}

/** The fields of an edit as the page's controls hold them; empty where it says nothing of one. */
function textsOf(edit: StoryEdit) {
  return fieldTexts(editedStory(pendingStory(-1, { name: '' }), edit));
}
