import * as vscode from 'vscode';
import { type Day, type DayChoice, dayChoices, dayIn } from './sinceDay.ts';

interface DayItem extends vscode.QuickPickItem {
  /** Absent for one that is to be typed. */
  readonly day?: Day;
}

/** Asks since when; `undefined` when the person turned away. */
export async function askDay(now: number): Promise<Day | undefined> {
  const another: DayItem = { label: vscode.l10n.t('Another Day…') };
  const items: readonly DayItem[] = [...dayChoices(now).map((choice) => itemOf(choice)), another];
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: vscode.l10n.t('Copy your activity since when?'),
  });
  return picked === another ? typedDay(now) : picked?.day;
}

/** A day as people write it, "Friday, 20 November 2026". */
export function dayText(day: Day): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'full' }).format(day);
}

function itemOf({ kind, day }: DayChoice): DayItem {
  const label = {
    lastWorkingDay: vscode.l10n.t('Last Working Day'),
    monday: vscode.l10n.t('Monday'),
    today: vscode.l10n.t('Today'),
  }[kind];
  return { label, description: dayText(day), day };
}

async function typedDay(now: number): Promise<Day | undefined> {
  const text = await vscode.window.showInputBox({
    prompt: vscode.l10n.t('First day to include, as YYYY-MM-DD'),
    placeHolder: 'YYYY-MM-DD',
    validateInput: (typed) =>
      typed === '' || dayIn(typed, now) !== undefined
        ? undefined
        : vscode.l10n.t('Enter today or an earlier day, as YYYY-MM-DD.'),
  });
  return text === undefined ? undefined : dayIn(text, now);
}
