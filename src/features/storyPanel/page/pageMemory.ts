import { isSameStory } from '../../../core/activeStory/storyBinding.ts';
import { type PanelStory, pageState, storyOfPage } from '../panelMessages.ts';
import { type KeptTexts, keptTexts } from '../storyDrafts.ts';
import { vsCode } from './elements.ts';

type Memory = Readonly<Record<string, unknown>>;

const ownStory = storyOfPage(document.body.dataset.story);
const formerStory = storyOfPage(document.body.dataset.former);
const keptStory = pageState(vsCode.getState()).story;
if (!isSameStory(keptStory, ownStory)) {
  // A preview shows one story after the other: what it kept of the one before stays with that, unless it is the same.
  const isFormer = formerStory !== undefined && isSameStory(keptStory, formerStory);
  vsCode.setState(isFormer ? { ...remembered(), story: ownStory } : { story: ownStory });
}

/** Whether what is said about a story is said about that of this page, and not of the one that takes its place. */
export function isOwnStory(story: PanelStory): boolean {
  return isSameStory(story, ownStory);
}

/** What the page keeps over a reload. */
export function remembered(): Memory {
  const state = vsCode.getState();
  return typeof state === 'object' && state !== null ? { ...state } : {};
}

/** Keeps these besides what else is kept. */
export function remember(change: Memory): void {
  vsCode.setState({ ...remembered(), ...change });
}

/** As `remember`, and for when there is no such page any more: the tab was closed, or its window killed. */
export function rememberSurely(change: Partial<KeptTexts>): void {
  remember(change);
  const { taskEdits, ...texts } = keptTexts(remembered());
  const begun = taskEdits.filter(({ text, known }) => text !== known);
  // VS Code writes the state of pages seldom; what the extension is told is safe at once.
  vsCode.postMessage({ type: 'keepTexts', texts: { ...texts, taskEdits: begun } });
}
