import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Seeded } from '../../../support/measures/seeded.ts';
import { type Answer, assertStatus, idOf, type RequestOptions, textOf, texts } from '../request.ts';
import type { DayCaller } from './dayCaller.ts';
import type { DayKind } from './dayTimes.ts';

/** Bytes of the largest file. */
const LARGEST = 200_000;
/** Stories of one writer: what is looked at in the end stays small. */
const MOST_STORIES = 12;

/** A story of one writer, and what it may hold. */
interface OwnStory {
  readonly id: number;
  /** The last that was answered first, then those of which nobody knows. */
  names: readonly string[];
  readonly files: { readonly id: number; readonly bytes: Buffer }[];
}

/** Someone who works on stories of their own in a project of many, and knows what was answered. */
export class DayWriter {
  private readonly name: string;
  private readonly caller: DayCaller;
  private readonly chance: Seeded;
  private readonly project: number;
  private readonly stories: OwnStory[] = [];
  /** Texts of which each is there once, since they were answered. */
  private readonly sure: string[] = [];
  /** Texts of which each is there once or never, since nobody knows. */
  private readonly unsure: string[] = [];
  private written = 0;

  constructor(name: string, caller: DayCaller, chance: Seeded, project: number) {
    this.name = name;
    this.caller = caller;
    this.chance = chance;
    this.project = project;
  }

  /** Works until told to stop, with a pause of so many milliseconds between changes, on average. */
  async work(pace: number, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await wait(this.chance.below(2 * pace));
      await this.change();
    }
  }

  /** That all that was answered is there, once, and nothing that was never sent. */
  async assertKept(read: (path: string) => Promise<Answer>): Promise<void> {
    const list = await read(`/projects/${this.project}/stories`);
    const ids = [...list.text.matchAll(/<story>\s*<id type="integer">(\d+)</g)].map((found) => Number(found[1]));
    for (const { id, names, files } of this.stories) {
      assert.equal(ids.filter((one) => one === id).length, 1, `story ${id} of ${this.name}`);
      const story = await read(`/projects/${this.project}/stories/${id}`);
      const [name = ''] = texts(story, 'name');
      assert.ok(names.includes(name), `"${name}" is one of ${names.join()}`);
      for (const { id: fileId, bytes } of files) {
        const file = await read(`/projects/${this.project}/stories/${id}/attachments/${fileId}`);
        const url = textOf(file, 'url').replaceAll('&amp;', '&');
        assert.ok(bytes.equals(await bytesAt(url)), `file ${fileId} of story ${id}`);
      }
    }
    const count = (text: string) => list.text.split(`>${text}<`).length - 1;
    for (const text of this.sure) assert.equal(count(text), 1, text);
    for (const text of this.unsure) assert.ok(count(text) <= 1, text);
  }

  private async change(): Promise<void> {
    const story = this.chance.of(this.stories);
    if (!story || (this.stories.length < MOST_STORIES && this.chance.chance(8))) return this.create();
    const kind = this.chance.below(20);
    if (kind < 10) return this.edit(story);
    if (kind < 14) return this.comment(story);
    if (kind < 19) return this.move(story);
    return this.upload(story);
  }

  private async create(): Promise<void> {
    const name = this.label('Story');
    const body = `<story><name>${name}</name><current_state>unstarted</current_state></story>`;
    const answer = await this.send('new story', `/projects/${this.project}/stories`, { body });
    // One that nobody knows of is nobody's: it is counted by its name as long as nobody edits it.
    if (answer) this.stories.push({ id: idOf(answer), names: [name], files: [] });
    else this.unsure.push(name);
  }

  private async edit(story: OwnStory): Promise<void> {
    const name = this.label('Name');
    const answer = await this.send('edit', this.pathOf(story), {
      method: 'PUT',
      body: `<story><name>${name}</name></story>`,
    });
    story.names = answer ? [name] : [...story.names, name];
  }

  private async comment(story: OwnStory): Promise<void> {
    const text = this.label('Comment');
    const answer = await this.send('comment', `${this.pathOf(story)}/notes`, {
      body: `<note><text>${text}</text></note>`,
    });
    (answer ? this.sure : this.unsure).push(text);
  }

  private async move(story: OwnStory): Promise<void> {
    const other = this.chance.of(this.stories);
    if (!other || other === story) return;
    const place = this.chance.chance(2) ? 'before' : 'after';
    await this.send('move', `${this.pathOf(story)}/moves?move[move]=${place}&move[target]=${other.id}`);
  }

  private async upload(story: OwnStory): Promise<void> {
    const bytes = randomBytes(1 + this.chance.below(LARGEST));
    const body = new FormData();
    body.set('Filedata', new Blob([Uint8Array.from(bytes)]), `${this.label('file')}.bin`);
    const answer = await this.send('upload', `${this.pathOf(story)}/attachments`, { body });
    if (answer) story.files.push({ id: idOf(answer), bytes });
  }

  /** `undefined` where there was no answer. */
  private async send(kind: DayKind, path: string, options: RequestOptions = {}): Promise<Answer | undefined> {
    const answer = await this.caller.ask(kind, path, { method: 'POST', ...options }).catch(() => undefined);
    if (answer) assertStatus(answer, 200);
    return answer;
  }

  private pathOf({ id }: OwnStory): string {
    return `/projects/${this.project}/stories/${id}`;
  }

  private label(what: string): string {
    this.written += 1;
    return `${what} ${this.written} of ${this.name}`;
  }
}

async function bytesAt(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}
