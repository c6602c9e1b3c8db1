/** The part of VS Code that translates, so that texts can be made without a window too. */
interface Translating {
  readonly l10n: { t(message: string, ...args: readonly (string | number)[]): string };
}

/** Every text of the panel, in the person's language. */
export function panelTexts(vscode: Translating) {
  return {
    description: vscode.l10n.t('Description'),
    noDescription: vscode.l10n.t('No description.'),
    tasks: (done: number, all: number) => vscode.l10n.t('Tasks ({0} of {1} done)', done, all),
    comments: (count: number) => vscode.l10n.t('Comments ({0})', count),
    commits: (count: number) => vscode.l10n.t('Commits ({0})', count),
    commitStates: {
      waiting: vscode.l10n.t('waiting'),
      sending: vscode.l10n.t('sending'),
      linked: vscode.l10n.t('linked'),
      failed: vscode.l10n.t('failed'),
    },
    attachments: (count: number) => vscode.l10n.t('Attachments ({0})', count),
    attach: vscode.l10n.t('Attach Files…'),
    open: vscode.l10n.t('Open'),
    save: vscode.l10n.t('Save…'),
    openNamed: (name: string) => vscode.l10n.t('Open {0}', name),
    saveNamed: (name: string) => vscode.l10n.t('Save {0}', name),
    details: vscode.l10n.t('Details'),
    owner: vscode.l10n.t('Owner'),
    nobody: vscode.l10n.t('Nobody'),
    requester: vscode.l10n.t('Requester'),
    labels: vscode.l10n.t('Labels'),
    ticket: vscode.l10n.t('Ticket'),
    created: vscode.l10n.t('Created'),
    updated: vscode.l10n.t('Updated'),
    accepted: vscode.l10n.t('Accepted'),
    deadline: vscode.l10n.t('Deadline'),
    unestimated: vscode.l10n.t('unestimated'),
    points: (count: number) => (count === 1 ? vscode.l10n.t('1 point') : vscode.l10n.t('{0} points', count)),
    actions: vscode.l10n.t('Next actions'),
    openInBrowser: vscode.l10n.t('Open in Browser'),
    action: {
      start: vscode.l10n.t('Start'),
      finish: vscode.l10n.t('Finish'),
      deliver: vscode.l10n.t('Deliver'),
      accept: vscode.l10n.t('Accept'),
      reject: vscode.l10n.t('Reject'),
      restart: vscode.l10n.t('Restart'),
    },
    addComment: vscode.l10n.t('Add a comment'),
    comment: vscode.l10n.t('Comment'),
    sending: vscode.l10n.t('Sending…'),
    notSentYet: vscode.l10n.t('Not sent yet'),
    commentSent: vscode.l10n.t('Comment added.'),
    untitled: vscode.l10n.t('Story without a name'),
    loading: vscode.l10n.t('Loading…'),
    stateIs: (state: string) => vscode.l10n.t('The story is {0}.', state),
  };
}

export type PanelTexts = ReturnType<typeof panelTexts>;
