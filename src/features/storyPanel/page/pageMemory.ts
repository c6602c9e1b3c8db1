import { isSameStory } from '../../../core/activeStory/storyBinding.ts';
import { type PanelStory, pageState, storyOfPage } from '../panelMessages.ts';
import { vsCode } from './elements.ts';

type Memory = Readonly<Record<string, unknown>>;

const ownStory = storyOfPage(document.body.dataset.story);
// A preview shows one story after the other: what it kept of the one before stays with that.
if (!isSameStory(pageState(vsCode.getState()).story, ownStory)) vsCode.setState({ story: ownStory });

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
