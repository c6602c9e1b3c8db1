import * as vscode from 'vscode';
import { stateWord } from '../../core/backlog/stateWords.ts';
import type { ImportReport } from '../../core/story/importReport.ts';
import { visibleLine } from '../../core/text.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import type { SentFiles } from './importFolder.ts';

/** What is said of stories and files on their way, with counts as people write them in the language of the window. */

const LONGEST = 200;

/** Text of a file or a server, on one line. */
export function shown(text: string): string {
  return withoutIcons(visibleLine(text, LONGEST));
}

export function countText(count: number): string {
  return count.toLocaleString(vscode.env.language);
}

export function storiesText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 story') : vscode.l10n.t('{0} stories', countText(count));
}

export function filesText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', countText(count));
}

/** What is imported, as in "3 new and 1 changed story". */
export function newAndChangedText({ created, updated }: Pick<ImportReport, 'created' | 'updated'>): string {
  if (updated === 0) return storiesText(created);
  const changed =
    updated === 1 ? vscode.l10n.t('1 changed story') : vscode.l10n.t('{0} changed stories', countText(updated));
  return created === 0 ? changed : vscode.l10n.t('{0} new and {1}', countText(created), changed);
}

/** By types and states, and what else comes of a file. The longest last: a narrow list cuts the end off. */
export function countsText(report: ImportReport, files: number): string {
  const { types, states, unchanged, leftOut, filesMissing } = report;
  const others = [
    unchanged > 0 ? vscode.l10n.t('{0} unchanged', countText(unchanged)) : '',
    leftOut > 0 ? vscode.l10n.t('{0} left out', countText(leftOut)) : '',
    files > 0 ? filesText(files) : '',
    filesMissing > 0 ? missingText(filesMissing) : '',
  ];
  const byType = Object.entries(types).map(([type, count]) => typeText(type, count));
  const byState = Object.entries(states).map(([state, count]) => `${countText(count)} ${shown(stateWord(state))}`);
  return [byType.join(', '), ...others, byState.join(', ')].filter((part) => part !== '').join(' · ');
}

function missingText(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 attachment without its file')
    : vscode.l10n.t('{0} attachments without their file', countText(count));
}

function typeText(type: string, count: number): string {
  const texts: Readonly<Record<string, readonly [one: string, many: string]>> = {
    feature: [vscode.l10n.t('1 feature'), vscode.l10n.t('{0} features', countText(count))],
    bug: [vscode.l10n.t('1 bug'), vscode.l10n.t('{0} bugs', countText(count))],
    chore: [vscode.l10n.t('1 chore'), vscode.l10n.t('{0} chores', countText(count))],
    release: [vscode.l10n.t('1 release'), vscode.l10n.t('{0} releases', countText(count))],
  };
  const [one, many] = (Object.hasOwn(texts, type) && texts[type]) || [
    `1 ${shown(type)}`,
    `${countText(count)} ${shown(type)}`,
  ];
  return count === 1 ? one : many;
}

export function namedText(times: number): string {
  return times === 1 ? vscode.l10n.t('Named once') : vscode.l10n.t('Named {0} times', countText(times));
}

/** Files that could not be attached, with why the first could not; empty where there are none. */
export function failedText({ failed }: SentFiles): string {
  const [first] = failed;
  if (first === undefined) return '';
  return failed.length === 1
    ? vscode.l10n.t('1 file could not be attached: {0}', first)
    : vscode.l10n.t('{0} files could not be attached: {1}', countText(failed.length), first);
}

/** How many stories of a project that is moved get new IDs. */
export function newIdsText(renumbered: number): string {
  if (renumbered === 0)
    return vscode.l10n.t('All stories keep their IDs, so commits that mention them still lead to them.');
  return renumbered === 1
    ? vscode.l10n.t(
        '1 story gets a new ID because its own is in use there. Its old ID in commits and texts leads to it, too.',
      )
    : vscode.l10n.t(
        '{0} stories get new IDs because theirs are in use there. The old IDs in commits and texts lead to them, too.',
        countText(renumbered),
      );
}
