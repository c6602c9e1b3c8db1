import { isEstimatable, nextActions, statesOf } from '../../core/backlog/workflow.ts';
import type { Story } from '../../core/story/story.ts';
import { escaped } from './html.ts';
import type { StoryCommand } from './panelMessages.ts';
import type { PanelProject, PanelTexts } from './panelTexts.ts';

/** What the row of actions is made of. */
interface ActionButton {
  readonly key: string;
  readonly text: string;
  /** What the page says when it is pressed, as attributes. */
  readonly does: string;
  readonly isMain?: boolean;
}

/**
 * Start, what is needed to commit, the next state, and every other state. Starting is the command *Start Story…*, with owner and
 * branch, so no button sets that state alone. Those that want an estimate first are there too: it is asked for.
 */
export function storyActions(story: Story, project: PanelProject, texts: PanelTexts): string {
  const mayStart = statesOf(story.type).includes('started') && story.state !== 'accepted';
  const next = nextButtons(story, project, texts);
  const isBegun = next.length > 0;
  const start: ActionButton = { ...command('startStory', texts.start), isMain: !isBegun };
  const estimate = command('estimateStory', texts.estimate);
  const browser: ActionButton = { key: 'browser', text: texts.openInBrowser, does: 'data-do="browser"' };
  const buttons = [
    ...(mayStart ? [start] : []),
    command('insertMarker', texts.insertMarker),
    command('linkCommits', texts.linkCommits),
    ...next,
    ...(statesOf(story.type).length > 0 ? [command('changeState', texts.changeState)] : []),
    ...(isEstimatable(story.type, project) ? [estimate] : []),
    ...(story.url === undefined ? [] : [browser]),
  ];
  return `<div class="actions" role="group" tabindex="-1" aria-label="${escaped(texts.actions)}">${buttons.map(html).join('')}</div>`;
}

function nextButtons(story: Story, project: PanelProject, texts: PanelTexts): readonly ActionButton[] {
  const estimated = isEstimatable(story.type, project)
    ? { ...story, estimate: Math.max(0, story.estimate ?? 0) }
    : story;
  return nextActions(estimated, project)
    .filter(({ state }) => state !== 'started')
    .map(({ action, state }, index) => ({
      key: action,
      text: texts.action[action],
      does: `data-do="state" data-state="${state}"`,
      isMain: index === 0,
    }));
}

function command(name: StoryCommand, text: string): ActionButton {
  return { key: name, text, does: `data-do="command" data-command="${name}"` };
}

function html({ key, text, does, isMain = false }: ActionButton): string {
  return `<button type="button" ${does} data-key="${key}"${isMain ? '' : ' class="secondary"'}>${escaped(text)}</button>`;
}
