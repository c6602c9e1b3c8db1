import {
  type ActiveStory,
  bindingTexts,
  NO_STORY,
  readBinding,
  type StoryBinding,
} from '../../core/activeStory/storyBinding.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';

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
  if ((await repository.getConfig(key)) !== wanted) throw new Error(`Git did not keep ${key}.`);
}
