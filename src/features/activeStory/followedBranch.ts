import {
  type ActiveStory,
  bindingTexts,
  isSameStory,
  NO_STORY,
  readBinding,
  type StoryBinding,
} from '../../core/activeStory/storyBinding.ts';
import { t } from '../../core/translation.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';

/** What a repository's checkouts are followed with. */
interface BranchNeeds {
  /** `undefined` while Git has not told yet; without a name when no branch is checked out. */
  head(): { readonly name?: string } | undefined;
  /** The story that the branch is bound to. */
  bound(branch: string): Promise<ActiveStory | undefined>;
  /** The story that was worked on here last. */
  remembered(): Promise<ActiveStory | undefined>;
  remember(story: ActiveStory | undefined): Promise<void>;
  /** Another story is worked on than before. */
  changed(): void;
}

/**
 * The story that is worked on in a repository: that of the branch; with none checked out, as during a rebase, the one
 * before.
 */
export class FollowedBranch {
  private readonly needs: BranchNeeds;
  private branch: string | undefined;
  private isKnown = false;
  private reading = 0;
  private _isRead = false;
  private _story: ActiveStory | undefined;

  constructor(needs: BranchNeeds) {
    this.needs = needs;
  }

  get story(): ActiveStory | undefined {
    return this._story;
  }

  /** Whether it is known which story is worked on, or that none is. */
  get isRead(): boolean {
    return this._isRead;
  }

  /** To be called whenever something happened in the repository; looks closer only when the branch is another. */
  async look(): Promise<void> {
    const head = this.needs.head();
    if (!head || (this.isKnown && head.name === this.branch)) return;
    await this.read();
  }

  /** Reads anew what the branch is bound to. An answer that comes when the branch is another is dropped. */
  async read(): Promise<void> {
    const head = this.needs.head();
    if (!head) return;
    this.branch = head.name;
    this.isKnown = true;
    const mine = ++this.reading;
    const { name } = head;
    const story = await (name === undefined ? this.needs.remembered() : this.needs.bound(name));
    if (mine !== this.reading) return;
    if (name !== undefined) await this.needs.remember(story);
    if (mine === this.reading) this.put(story);
  }

  /** Takes a story over that has just been written down for the branch. */
  put(story: ActiveStory | undefined): void {
    this.reading++;
    if (this._isRead && isSameStory(story, this._story)) return;
    this._isRead = true;
    this._story = story;
    this.needs.changed();
  }
}

/** The members of a repository that read and write its configuration; older versions of VS Code forget no value. */
type ConfiguredRepository = Pick<GitRepository, 'getConfig' | 'setConfig' | 'unsetConfig'>;

/** The story that a branch's Git configuration names. */
export async function boundStory(repository: ConfiguredRepository, branch: string): Promise<StoryBinding | undefined> {
  const story = await repository.getConfig(keyOf(branch, 'storyTrackerStory'));
  if (story === '') return undefined;
  return readBinding({ story, storyIn: await repository.getConfig(keyOf(branch, 'storyTrackerStoryIn')) });
}

/** Binds a branch to a story, or to none. @throws Error when Git did not keep it. */
export async function bindBranch(
  repository: ConfiguredRepository,
  branch: string,
  story: ActiveStory | undefined,
): Promise<void> {
  const texts = story && bindingTexts(story);
  await replace(repository, keyOf(branch, 'storyTrackerStoryIn'), texts?.storyIn ?? '');
  await replace(repository, keyOf(branch, 'storyTrackerStory'), texts?.story ?? '');
}

function keyOf(branch: string, name: string): string {
  return `branch.${branch}.${name}`;
}

/** VS Code's Git adds a value where it says it sets one, of which the last counts, and does not tell what fails. */
async function replace(repository: ConfiguredRepository, key: string, value: string): Promise<void> {
  const before = await repository.getConfig(key);
  if (before === value) return;
  if (before !== '') await repository.unsetConfig?.(key);
  const left = before === '' ? '' : await repository.getConfig(key);
  const wanted = value === '' && left !== '' ? NO_STORY : value;
  if (left !== wanted) await repository.setConfig(key, wanted);
  if ((await repository.getConfig(key)) !== wanted) throw new Error(t('Git did not save {0}.', key));
}
