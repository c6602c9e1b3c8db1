import type { Backlog } from '../../../core/backlog/backlog.ts';
import { keyText, type ProjectKey } from '../../../core/story/projectKey.ts';
import type { Story } from '../../../core/story/story.ts';
import { stepwise } from '../../../host/shell/turnBudget.ts';
import { type ShownProject, searched, shownProject } from './shownProject.ts';
import { type TreeShape, wholeTree } from './treeShape.ts';

interface Work {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** What the tree shows of each project; worked out in slices, and what was overtaken in the meantime is dropped. */
export class ShownProjects {
  private readonly peek: (key: ProjectKey) => Backlog | undefined;
  private readonly noticeBacklog: (key: ProjectKey, backlog: Backlog) => void;
  private readonly shown = new Map<string, ShownProject>();
  private readonly work = new Map<string, Work>();
  /** The lists of found stories that went into what is shown. */
  private readonly finds = new WeakMap<ShownProject, readonly (readonly Story[])[]>();
  private _shape: TreeShape = wholeTree;

  /** `noticeBacklog` is told a backlog before any row shows it. */
  constructor(
    peek: (key: ProjectKey) => Backlog | undefined,
    noticeBacklog: (key: ProjectKey, backlog: Backlog) => void = () => undefined,
  ) {
    this.peek = peek;
    this.noticeBacklog = noticeBacklog;
  }

  get shape(): TreeShape {
    return this._shape;
  }

  get(key: ProjectKey): ShownProject | undefined {
    return this.shown.get(keyText(key));
  }

  /** All of `keys` are as `shape` wants them when this resolves, unless another shape came in the meantime: then `false`. */
  async reshape(shape: TreeShape, keys: readonly ProjectKey[]): Promise<boolean> {
    this._shape = shape;
    await Promise.all(keys.map((key) => this.prepare(key)));
    return this._shape === shape;
  }

  /** Works out what is shown of the project as it is known now; what a later call does instead is waited for. */
  async prepare(key: ProjectKey): Promise<void> {
    const text = keyText(key);
    const backlog = this.peek(key);
    this.work.get(text)?.controller.abort();
    this.work.delete(text);
    if (!backlog || this.isCurrent(key, backlog)) return;
    const controller = new AbortController();
    const mine: Work = { controller, done: this.workOut(key, backlog, controller.signal) };
    this.work.set(text, mine);
    await mine.done;
    if (this.work.get(text) === mine) this.work.delete(text);
    for (let later = this.work.get(text); later; later = this.work.get(text)) await later.done;
  }

  private async workOut(key: ProjectKey, backlog: Backlog, signal: AbortSignal): Promise<void> {
    const finds = this.findsIn(key);
    const shown = await stepwise(shownProject(key, backlog, this.shape), signal);
    if (!shown) return;
    this.finds.set(shown, finds);
    if (this.get(key)?.backlog !== backlog) this.noticeBacklog(key, backlog);
    this.shown.set(keyText(key), shown);
  }

  private isCurrent(key: ProjectKey, backlog: Backlog): boolean {
    const known = this.get(key);
    if (known?.backlog !== backlog || known.shape !== this.shape) return false;
    const before = this.finds.get(known) ?? [];
    return this.findsIn(key).every((found, index) => found === before[index]);
  }

  private findsIn(key: ProjectKey): readonly (readonly Story[])[] {
    return searched(this.shape).map((one) => one.done.foundIn(key));
  }
}
