import { stateWord } from '../../core/backlog/stateWords.ts';
import { isScheduled } from '../../core/backlog/workflow.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import { visibleLine, withoutControls } from '../../core/text.ts';
import { t } from '../../core/translation.ts';
import type { App } from '../../host/app.ts';
import { plainMarkdown } from '../../host/shell/html.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

/** Characters of a name in a question; what is written into a story is shown whole. */
const LONGEST_NAME = 200;

/** A short text of others within a sentence in Markdown. */
export function nameMarkdown(text: string): string {
  return `“${plainMarkdown(visibleLine(text, LONGEST_NAME))}”`;
}

/** A story within a sentence in Markdown: number and name. */
export function storyMarkdown({ story }: Pick<FoundStory, 'story'>): string {
  return `**#${story.id}** ${nameMarkdown(story.name)}`;
}

/** What a move between backlog and icebox does besides; nothing where both stories are on one side. */
export function crossingText(story: Story, target: Story): string | undefined {
  const isTargetScheduled = isScheduled(target.state);
  if (isScheduled(story.state) === isTargetScheduled) return undefined;
  const state = stateWord(isTargetScheduled ? 'unstarted' : 'unscheduled');
  return t('This also changes the state from {0} to {1}.', nameMarkdown(stateWord(story.state)), nameMarkdown(state));
}

/** The project that a question is about; where several servers or people are signed in, on which one and as whom. */
export async function projectMarkdown({ backlogs }: Pick<App, 'backlogs'>, key: ProjectKey): Promise<string> {
  const entry = (await backlogs.projects()).find((one) => isSameProject(one.key, key));
  const project = nameMarkdown(entry?.project.name ?? String(key.projectId));
  const signIn = backlogs.signInAmongSeveral(key);
  return signIn === undefined ? t('Project: {0}', project) : t('Project: {0} on {1}', project, nameMarkdown(signIn));
}

/** A text as it is, in a block of its own, which nothing in the text can end. */
export function textBlock(text: string): string {
  const shown = withoutControls(text);
  const longest = Math.max(2, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${shown}\n${fence}`;
}

/** Items in Markdown, each on a line of its own. */
export function listMarkdown(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}
