import type { Project } from '../../core/story/project.ts';
import { fieldLabels, type Translating } from '../../host/story/fieldLabels.ts';
import { writingTexts } from './writingTexts.ts';

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
    showOlder: {
      tasks: (count: number) => vscode.l10n.t('Show Earlier Tasks ({0})', count),
      comments: (count: number) => vscode.l10n.t('Show Older Comments ({0})', count),
      attachments: (count: number) => vscode.l10n.t('Show Older Attachments ({0})', count),
      commits: (count: number) => vscode.l10n.t('Show Older Commits ({0})', count),
    },
    showNewest: {
      tasks: vscode.l10n.t('Show Last Tasks'),
      comments: vscode.l10n.t('Show Newest Comments'),
      attachments: vscode.l10n.t('Show Newest Attachments'),
      commits: vscode.l10n.t('Show Newest Commits'),
    },
    onServer: (count: number) => vscode.l10n.t('{0} older items are only available on the server.', count),
    moreCharacters: (count: number) => vscode.l10n.t('{0} more characters are not shown.', count),
    moreLabels: (count: number) => vscode.l10n.t('and {0} more', count),
    attach: vscode.l10n.t('Attach Files…'),
    open: vscode.l10n.t('Open'),
    save: vscode.l10n.t('Save As…'),
    saveAll: vscode.l10n.t('Save All…'),
    openNamed: (name: string) => vscode.l10n.t('Open {0}', name),
    saveNamed: (name: string) => vscode.l10n.t('Save {0}', name),
    details: vscode.l10n.t('Details'),
    fields: fieldLabels(vscode),
    nobody: vscode.l10n.t('Nobody'),
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
    estimate: vscode.l10n.t('Estimate…'),
    own: vscode.l10n.t('Assign to Me'),
    ownStory: vscode.l10n.t('Assign to Me'),
    giveUp: vscode.l10n.t('Unassign'),
    giveStoryUp: vscode.l10n.t('Unassign Story'),
    edit: vscode.l10n.t('Edit…'),
    editTicket: vscode.l10n.t('Edit… Ticket'),
    link: vscode.l10n.t('Link…'),
    linkTicket: vscode.l10n.t('Link Ticket…'),
    openTicket: vscode.l10n.t('Open Ticket'),
    unlink: vscode.l10n.t('Unlink'),
    unlinkTicket: vscode.l10n.t('Unlink Ticket'),
    addTask: vscode.l10n.t('Add a task'),
    add: vscode.l10n.t('Add Task'),
    addComment: vscode.l10n.t('Add a comment'),
    comment: vscode.l10n.t('Comment'),
    sending: vscode.l10n.t('Sending…'),
    notSentYet: vscode.l10n.t('Not sent yet'),
    commentSent: vscode.l10n.t('Comment added.'),
    untitled: vscode.l10n.t('Unnamed story'),
    loading: vscode.l10n.t('Loading…'),
    writing: writingTexts(vscode),
    stateIs: (state: string) => vscode.l10n.t('The story is {0}.', state),
  };
}

export type PanelTexts = ReturnType<typeof panelTexts>;

/** What of a project decides what a story's page offers. */
export type PanelProject = Partial<
  Pick<Project, 'bugsAndChoresAreEstimatable' | 'integrations' | 'pointScale' | 'labels' | 'memberships'>
>;
