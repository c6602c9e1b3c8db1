import type { ProjectKey } from '../../../core/story/projectKey.ts';
import { AT_ONCE, Semaphore } from './pace.ts';

/** The part of a workspace's memory that is needed. */
interface Memory {
  get(name: string): unknown;
  update(name: string, value: unknown): PromiseLike<void>;
}

/** Files that were on their way to a story. */
export interface UploadUnderWay {
  readonly key: ProjectKey;
  readonly storyId: number;
  /** Attachments that the story had before. */
  readonly before: readonly number[];
  readonly files: readonly UnderWayFile[];
}

export interface UnderWayFile {
  readonly filename: string;
  /** Where it can be had again; what was made to be sent cannot. */
  readonly uri?: string;
  /** The folder that no link may lead it out of. */
  readonly within?: string;
}

/** Remembers what is being sent, so that what a closing window cut off is told of at the next start. */
export class UploadsUnderWay {
  /** For all that is sent from this window. */
  readonly places = new Semaphore(AT_ONCE);
  private readonly memory: Memory;
  private readonly name: string;
  private running: readonly UploadUnderWay[] = [];
  /** What an earlier window left. */
  private left: readonly UploadUnderWay[];
  private isClosing = false;

  /** `name` is that under which a workspace remembers them. */
  constructor(memory: Memory, name: string) {
    this.memory = memory;
    this.name = name;
    const kept = memory.get(name);
    this.left = Array.isArray(kept) ? kept.flatMap((one: unknown) => uploadIn(one) ?? []) : [];
  }

  /** Remembered once this resolves, so before the first byte; what it gives is to be called when the outcome is known. */
  async begin(upload: UploadUnderWay): Promise<() => void> {
    this.running = [...this.running, upload];
    await this.keep();
    return () => {
      if (this.isClosing) return;
      this.running = this.running.filter((one) => one !== upload);
      void this.keep();
    };
  }

  /** The window closes: what ends from now on was cut off. */
  close(): void {
    this.isClosing = true;
  }

  /** What an earlier window left; nothing when asked again. */
  takeLeft(): readonly UploadUnderWay[] {
    const { left } = this;
    this.left = [];
    if (left.length > 0) void this.keep();
    return left;
  }

  private async keep(): Promise<void> {
    const all = [...this.left, ...this.running];
    await this.memory.update(this.name, all.length > 0 ? all : undefined);
  }
}

function uploadIn(value: unknown): UploadUnderWay | undefined {
  const { key, storyId, before, files } = fieldsOf(value);
  const { accountId, projectId } = fieldsOf(key);
  if (typeof accountId !== 'string' || typeof projectId !== 'number' || typeof storyId !== 'number') return undefined;
  if (!Array.isArray(before) || !Array.isArray(files)) return undefined;
  const names = files.flatMap((file: unknown) => {
    const { filename, uri, within } = fieldsOf(file);
    if (typeof filename !== 'string') return [];
    return [{ filename, ...(typeof uri === 'string' && { uri }), ...(typeof within === 'string' && { within }) }];
  });
  return names.length === 0
    ? undefined
    : { key: { accountId, projectId }, storyId, before: before.filter((id) => typeof id === 'number'), files: names };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
