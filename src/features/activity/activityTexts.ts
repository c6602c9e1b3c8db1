/** The part of VS Code that translates, so that texts can be made without a window too. */
interface Translating {
  readonly l10n: { t(message: string, ...args: readonly (string | number)[]): string };
}

/** What happened, in words: of notifications and of the copied list. */
export function activityTexts(vscode: Translating) {
  return {
    story: (id: number) => vscode.l10n.t('Story #{0}', id),
    somebody: vscode.l10n.t('Someone'),
    assigned: (who: string, name: string) => vscode.l10n.t('{0} assigned “{1}” to you.', who, name),
    rejected: (who: string, name: string) => vscode.l10n.t('{0} rejected your story “{1}”.', who, name),
    severalAssigned: (count: number, names: string) => vscode.l10n.t('{0} stories are now yours: {1}.', count, names),
    severalRejected: (count: number, names: string) =>
      vscode.l10n.t('{0} of your stories were rejected: {1}.', count, names),
    namesAndMore: (names: string, more: number) => vscode.l10n.t('{0} and {1} more', names, more),
    title: (day: string) => vscode.l10n.t('My activity since {0}', day),
    otherwise: vscode.l10n.t('Otherwise'),
    added: vscode.l10n.t('added'),
    deleted: vscode.l10n.t('deleted'),
    commented: vscode.l10n.t('commented'),
    attached: vscode.l10n.t('attached a file'),
    tasks: vscode.l10n.t('worked on tasks'),
    estimated: vscode.l10n.t('estimated'),
    owner: vscode.l10n.t('changed the owner'),
    edited: vscode.l10n.t('edited'),
    times: (what: string, count: number) => vscode.l10n.t('{0} ({1})', what, count),
    onlyKnown: (project: string) =>
      vscode.l10n.t('Could not refresh {0}. The list shows what was already known on this machine.', project),
    unnamed: (server: string) =>
      vscode.l10n.t('Your name on {0} is unknown, so your activity there is missing.', server),
    cutOff: (project: string, count: number, from: string) =>
      vscode.l10n.t(
        '{0} lists only its latest {1} activities. What you did there before {2} may be missing.',
        ...[project, count, from],
      ),
  };
}

export type ActivityTexts = ReturnType<typeof activityTexts>;
