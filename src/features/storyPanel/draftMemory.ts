import { isDeepStrictEqual } from 'node:util';
import { commentDraft, type DraftStore } from '../../host/story/draftFiles.ts';
import type { PanelStory } from './panelMessages.ts';
import {
  type Draft,
  type DraftField,
  draftFields,
  type FieldTexts,
  isAnyKept,
  isSameText,
  type KeptTaskEdit,
  type KeptTexts,
  keptTexts,
  nothingKept,
  readDraft,
} from './storyDrafts.ts';

/** What was written into the fields of one story and is not saved: kept over reloads, closed tabs and signing out. */
export class DraftMemory {
  protected readonly drafts: DraftStore;
  protected readonly prefix: string;

  /** `prefix` is what the story's drafts are called, such as `fieldDrafts` gives. */
  constructor(drafts: DraftStore, prefix: string) {
    this.drafts = drafts;
    this.prefix = prefix;
  }

  all(): readonly Draft[] {
    return draftFields.flatMap((field) => this.draftOf(field) ?? []);
  }

  draftOf(field: DraftField): Draft | undefined {
    return readDraft(this.drafts.get(this.nameOf(field)));
  }

  /** What another window has kept of the field besides. */
  otherDraftOf(field: DraftField): Draft | undefined {
    return this.drafts.others(this.nameOf(field)).flatMap((one) => readDraft(one) ?? [])[0];
  }

  async store(draft: Draft): Promise<void> {
    await this.write(draft.field, draft);
  }

  async forget(field: DraftField): Promise<void> {
    if (this.draftOf(field)) await this.write(field, undefined);
  }

  protected async write(field: DraftField, draft: Draft | undefined): Promise<void> {
    await this.drafts.update(this.nameOf(field), draft);
  }

  /**
   * Forgets what has become a story. What was written on while it was being made is written into the fields of that story, or
   * stays where it has no number yet.
   */
  async handOver(made: FieldTexts, story: DraftMemory | undefined): Promise<void> {
    for (const { field, text } of this.all()) {
      const isMade = isSameText(text, made[field]);
      if (!isMade && !story) continue;
      // Labels are added one by one: those that the story has are no others.
      if (!isMade) await story?.store({ field, base: field === 'labels' ? '' : made[field], text });
      await this.forget(field);
    }
  }

  private nameOf(field: DraftField): string {
    return `${this.prefix}/${field}`;
  }
}

/** What was written into the fields of a story that no server has, of which each window may write one: its fields stay together. */
export class NewStoryMemory extends DraftMemory {
  override draftOf(field: DraftField): Draft | undefined {
    return readDraft(this.written[field]);
  }

  protected override async write(field: DraftField, draft: Draft | undefined): Promise<void> {
    const { [field]: _, writtenAt, ...others } = this.written;
    const written = draft ? { ...others, [field]: draft } : others;
    const record = { ...written, writtenAt: Date.now() };
    await this.drafts.update(this.prefix, Object.keys(written).length > 0 ? record : undefined);
  }

  /** When something was written last, in milliseconds since the epoch; `undefined` where nothing is. */
  get writtenAt(): number | undefined {
    const { writtenAt } = this.written;
    const isAny = this.all().some(({ text }) => text.trim() !== '');
    return isAny && typeof writtenAt === 'number' ? writtenAt : undefined;
  }

  private get written(): Readonly<Record<string, unknown>> {
    return { ...Object(this.drafts.get(this.prefix)) };
  }
}

/** A comment, and what else was begun beside a story's fields. */
export interface BegunText {
  readonly comment: string;
  readonly others: KeptTexts;
}

/** What was begun about a story beside its fields: kept over reloads, closed tabs and killed windows. */
export class BegunTexts {
  private readonly drafts: DraftStore;
  private readonly commentName: string;
  /** It has become something else in this tab. */
  private isWritten = false;

  constructor(drafts: DraftStore, story: PanelStory) {
    this.drafts = drafts;
    this.commentName = commentDraft(story, story.storyId);
  }

  /** What was begun in this tab and is there still; `undefined` where it was only kept from before. */
  get unsaved(): BegunText | undefined {
    const { comment, others, isWritten } = this;
    return isWritten && (comment !== '' || isAnyKept(others)) ? { comment, others } : undefined;
  }

  /** Discards what nobody has gone on with since, and gives that. */
  async discard({ comment, others }: BegunText): Promise<BegunText> {
    const isCommentSame = this.comment === comment;
    const areOthersSame = isDeepStrictEqual(this.others, others);
    if (isCommentSame) await this.keepComment('');
    if (areOthersSame) await this.keepOthers(nothingKept);
    return { comment: isCommentSame ? comment : '', others: areOthersSame ? others : nothingKept };
  }

  get comment(): string {
    const kept = this.drafts.get(this.commentName);
    return typeof kept === 'string' ? kept : '';
  }

  async keepComment(text: string): Promise<void> {
    this.isWritten ||= text !== this.comment;
    await this.drafts.update(this.commentName, text === '' ? undefined : text);
  }

  get others(): KeptTexts {
    return keptTexts(this.drafts.get(this.othersName));
  }

  async keepOthers(texts: KeptTexts): Promise<void> {
    this.isWritten ||= !isDeepStrictEqual(texts, this.others);
    await this.drafts.update(this.othersName, isAnyKept(texts) ? texts : undefined);
  }

  /** Keeps what was not taken, for the next tab of the story. */
  async giveBack(list: 'taskReturned' | 'commentReturned', text: string): Promise<void> {
    await this.keepOthers({ ...this.others, [list]: [...this.others[list], text] });
  }

  /** The story has it. */
  async forgetTaskEdit({ id, text }: Pick<KeptTaskEdit, 'id' | 'text'>): Promise<void> {
    const taskEdits = this.others.taskEdits.filter((edit) => edit.id !== id || edit.text !== text);
    await this.keepOthers({ ...this.others, taskEdits });
  }

  private get othersName(): string {
    return `${this.commentName}/texts`;
  }
}
