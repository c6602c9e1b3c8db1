import { TrackerError } from '../../core/errors.ts';
import type { Note } from '../../core/story.ts';

/** The part of a tracker that comments need, for one story. */
export interface StoryNotes {
  list(): Promise<readonly Note[]>;
  add(text: string): Promise<unknown>;
}

const CERTAIN: readonly string[] = ['refused', 'unauthorized', 'forbidden', 'notFound', 'tooLarge', 'input', 'busy'];

/** Sends comments of one story. One whose answer got lost is looked for before it is sent again, so that none is doubled. */
export class CommentSender {
  private readonly notes: StoryNotes;
  /** A comment that may have been taken, and the comments that were there before it. */
  private unsure: { readonly text: string; readonly before: ReadonlySet<number> } | undefined;

  constructor(notes: StoryNotes) {
    this.notes = notes;
  }

  /** Resolves once the server has it. @throws TrackerError when it has not, or when that cannot be told. */
  async send(text: string): Promise<void> {
    const { unsure } = this;
    const isRepeated = unsure?.text === text;
    const there = await this.notes.list();
    if (isRepeated && there.some((note) => !unsure.before.has(note.id) && note.text.trim() === text.trim())) {
      this.unsure = undefined;
      return;
    }
    const before = isRepeated ? unsure.before : new Set(there.map(({ id }) => id));
    try {
      await this.notes.add(text);
      this.unsure = undefined;
    } catch (thrown) {
      const isCertain = thrown instanceof TrackerError && CERTAIN.includes(thrown.kind);
      this.unsure = isCertain ? undefined : { text, before };
      throw thrown;
    }
  }
}
