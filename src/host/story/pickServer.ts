import * as vscode from 'vscode';
import type { Accounts } from '../accounts/accounts.ts';
import { withoutIcons } from '../shell/plainText.ts';
import type { FoundStory } from '../tree/nodes.ts';
import { storyLabel } from './storyLabel.ts';

/** Asks which of the stories that have or had one number is meant. `undefined`: the person turned away. */
export async function pickServerOf(
  accounts: Pick<Accounts, 'list'>,
  found: readonly FoundStory[],
  placeHolder: string,
): Promise<FoundStory | undefined> {
  const all = await accounts.list();
  const items = found.map((one) => ({
    label: withoutIcons(`#${one.story.id} ${storyLabel(one.story)}`),
    description: all.find(({ id }) => id === one.key.accountId)?.label ?? '',
    found: one,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.found;
}
