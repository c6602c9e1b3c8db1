import * as vscode from 'vscode';
import { type Story, UNESTIMATED } from '../../core/story.ts';
import { countedPoints } from './counted.ts';

/** The name of a story, or its number when a server gave none. */
export function storyLabel({ name, id }: Story): string {
  return name.trim() === '' ? vscode.l10n.t('Story #{0}', id) : name;
}

/** "3 points", "unestimated", or nothing for what is never estimated. */
export function estimateText({ estimate }: Story): string | undefined {
  if (estimate === undefined) return undefined;
  return estimate === UNESTIMATED ? vscode.l10n.t('unestimated') : countedPoints(estimate);
}
