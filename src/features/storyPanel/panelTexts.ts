import type { ShownPlace } from '../../core/moves/newPlaces.ts';
import { conflictTexts, fieldLabels, type Translating, toldFields } from '../../host/story/fieldLabels.ts';
import { unsentStoryText } from '../../host/story/unsentStoryText.ts';
import type { DraftField } from './storyDrafts.ts';

/** Every text of the panel, in the person's language. */
export function panelTexts(vscode: Translating) {
  return {
    ...tabTexts(vscode),
    ...actionTexts(vscode),
    ...detailTexts(vscode),
    ...listTexts(vscode),
    ...attachmentTexts(vscode),
    ...taskTexts(vscode),
    ...sendingTexts(vscode),
    ...historyTexts(vscode),
    writing: writingTexts(vscode),
  };
}

export type PanelTexts = ReturnType<typeof panelTexts>;

/** Where the story of a tab stands, and what its page says before it is there. */
function tabTexts(vscode: Translating) {
  return {
    preview: (title: string) => vscode.l10n.t('{0} (Preview)', title),
    gone: {
      deletedTitle: (title: string) => vscode.l10n.t('{0} (Deleted)', title),
      movedTitle: (title: string) => vscode.l10n.t('{0} (Moved)', title),
      deleted: vscode.l10n.t('This story was deleted.'),
      deletedOrMoved: vscode.l10n.t('This story was deleted, or moved to a project that you cannot open.'),
      moved: vscode.l10n.t('This story was moved to another project.'),
      movedTo: (project: string) => vscode.l10n.t('This story was moved to {0}.', project),
      restored: (id: number) => vscode.l10n.t('This story was deleted, and restored as #{0}.', id),
      willBeRestored: vscode.l10n.t(
        'This story was deleted. It will be restored with a new ID when the server is reachable.',
      ),
      open: (id: number) => vscode.l10n.t('Open #{0}', id),
    },
    signedOut: vscode.l10n.t('You are signed out of this server. Sign in to change the story.'),
    loading: vscode.l10n.t('Loading…'),
    untitled: vscode.l10n.t('Unnamed story'),
  };
}

/** What can be done with a story as a whole. */
function actionTexts(vscode: Translating) {
  return {
    actions: vscode.l10n.t('Next actions'),
    openInBrowser: vscode.l10n.t('Open in Browser'),
    start: vscode.l10n.t('Start…'),
    insertMarker: vscode.l10n.t('Insert Marker'),
    linkCommits: vscode.l10n.t('Link Commits…'),
    changeState: vscode.l10n.t('Change State…'),
    action: {
      start: vscode.l10n.t('Start'),
      finish: vscode.l10n.t('Finish'),
      deliver: vscode.l10n.t('Deliver'),
      accept: vscode.l10n.t('Accept'),
      reject: vscode.l10n.t('Reject'),
      restart: vscode.l10n.t('Restart'),
    },
    estimate: vscode.l10n.t('Estimate…'),
    stateIs: (state: string) => vscode.l10n.t('The story is {0}.', state),
  };
}

/** The fields beside a story's text, its owner and its ticket. */
function detailTexts(vscode: Translating) {
  return {
    details: vscode.l10n.t('Details'),
    fields: fieldLabels(vscode),
    nobody: vscode.l10n.t('Nobody'),
    unestimated: vscode.l10n.t('unestimated'),
    points: (count: number) => (count === 1 ? vscode.l10n.t('1 point') : vscode.l10n.t('{0} points', count)),
    moreLabels: (count: number) => vscode.l10n.t('and {0} more', count),
    own: vscode.l10n.t('Assign to Me'),
    ownStory: vscode.l10n.t('Assign to Me'),
    giveUp: vscode.l10n.t('Unassign'),
    giveStoryUp: vscode.l10n.t('Unassign Story'),
    edit: vscode.l10n.t('Edit…'),
    editTicket: vscode.l10n.t('Edit… Ticket'),
    link: vscode.l10n.t('Link…'),
    linkTicket: vscode.l10n.t('Link Ticket…'),
    open: vscode.l10n.t('Open'),
    openTicket: vscode.l10n.t('Open Ticket'),
    unlink: vscode.l10n.t('Unlink'),
    unlinkTicket: vscode.l10n.t('Unlink Ticket'),
  };
}

/** A story's description and lists, and how to see more of them. */
function listTexts(vscode: Translating) {
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
    linkedBy: (name: string) => vscode.l10n.t('linked by {0}', name),
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
  };
}

/** A story's attachments. */
function attachmentTexts(vscode: Translating) {
  return {
    attach: vscode.l10n.t('Attach Files…'),
    save: vscode.l10n.t('Save As…'),
    saveAll: vscode.l10n.t('Save All…'),
    openNamed: (name: string) => vscode.l10n.t('Open {0}', name),
    saveNamed: (name: string) => vscode.l10n.t('Save As… {0}', name),
  };
}

/** What can be done with a story's tasks. */
function taskTexts(vscode: Translating) {
  return {
    task: vscode.l10n.t('Task'),
    addTask: vscode.l10n.t('Add a task'),
    editTask: vscode.l10n.t('Edit task'),
    add: vscode.l10n.t('Add Task'),
    taskTools: {
      edit: vscode.l10n.t('Edit Task (F2)'),
      up: vscode.l10n.t('Move Up (Alt+Up)'),
      down: vscode.l10n.t('Move Down (Alt+Down)'),
      delete: vscode.l10n.t('Delete Task (Delete)'),
    },
    taskToolOf: (what: string, task: string) => vscode.l10n.t('{0}: {1}', what, task),
    taskMoved: (position: number, count: number) => vscode.l10n.t('Moved to position {0} of {1}.', position, count),
  };
}

/** Comments and tasks on their way to the server, and those that were not taken. */
function sendingTexts(vscode: Translating) {
  return {
    addComment: vscode.l10n.t('Add a comment'),
    goToComment: vscode.l10n.t('Go to Comment (Alt+C)'),
    goToCommentOnMac: vscode.l10n.t('Go to Comment (⌥C)'),
    comment: vscode.l10n.t({ message: 'Comment', comment: 'verb, on a button' }),
    sending: vscode.l10n.t('Sending…'),
    commentSent: vscode.l10n.t('Comment added.'),
    notSentYet: vscode.l10n.t('Not sent yet'),
    unsentStory: unsentStoryText(vscode),
    notAdded: vscode.l10n.t('Not added'),
    putBack: vscode.l10n.t('Put Back'),
    discard: vscode.l10n.t('Discard'),
  };
}

/** What happened to a story. */
function historyTexts(vscode: Translating) {
  return {
    history: vscode.l10n.t('History'),
    you: vscode.l10n.t('You'),
    someone: vscode.l10n.t('Someone'),
    storyCreated: vscode.l10n.t('Created the story'),
    happened: vscode.l10n.t('Something happened'),
    linkedCommit: (hash: string | undefined) =>
      hash === undefined ? vscode.l10n.t('Linked a commit') : vscode.l10n.t('Linked commit {0}', hash),
    none: vscode.l10n.t('none'),
    showOlderHistory: vscode.l10n.t('Show Older'),
    noOlderHistory: vscode.l10n.t('Older activity is not on this machine.'),
    historyFields: { ...toldFields(vscode), description: vscode.l10n.t('Changed the description') },
  };
}

type FieldWords = Readonly<Record<DraftField, string>>;

/** The texts of the panel that are about writing, in the person's language. */
function writingTexts(vscode: Translating) {
  const labels: FieldWords = toldFields(vscode);
  return {
    labels,
    ...controlTexts(vscode),
    ...draftTexts(vscode, labels),
    ...savingTexts(vscode, labels),
    ...newStoryTexts(vscode),
    ...closedTabTexts(vscode),
  };
}

/** The controls in which a story is written. */
function controlTexts(vscode: Translating) {
  return {
    write: vscode.l10n.t('Edit'),
    writeNamed: {
      name: vscode.l10n.t('Edit Name'),
      description: vscode.l10n.t('Edit Description'),
    },
    saveText: vscode.l10n.t('Save'),
    cancel: vscode.l10n.t('Cancel'),
    preview: vscode.l10n.t('Preview'),
    saveHint: vscode.l10n.t('Ctrl+Enter saves, Escape cancels'),
    saveHintOnMac: vscode.l10n.t('⌘Enter saves, Escape cancels'),
    you: vscode.l10n.t('You'),
    addLabel: vscode.l10n.t('Add a label'),
    removeLabel: vscode.l10n.t('Remove Label {0}', '{0}'),
  };
}

/** What is written and not saved, and what someone else wrote in the meantime. */
function draftTexts(vscode: Translating, labels: FieldWords) {
  return {
    unsaved: vscode.l10n.t('Unsaved'),
    nameNotSentYet: vscode.l10n.t('Name not sent yet'),
    discard: vscode.l10n.t('Discard'),
    discardNamed: (field: DraftField) => vscode.l10n.t('Discard Unsaved {0}', labels[field]),
    discarded: vscode.l10n.t('Discarded.'),
    otherWindow: vscode.l10n.t('Other text was written here in another window.'),
    restore: vscode.l10n.t('Restore'),
    restoreNamed: (field: DraftField) => vscode.l10n.t('Restore Discarded {0}', labels[field]),
    changedElsewhere: vscode.l10n.t('Changed elsewhere. It is now:'),
    chooseFirst: vscode.l10n.t('Not saved. Choose "Keep Mine" or "Take Theirs". It is now:'),
    empty: vscode.l10n.t('(empty)'),
    ...conflictTexts(vscode),
  };
}

/** What came of saving a field. */
function savingTexts(vscode: Translating, labels: FieldWords) {
  return {
    enterName: vscode.l10n.t('Enter a story name.'),
    enterDay: vscode.l10n.t('Enter a date with a year from 100 to 9999.'),
    enterPoints: vscode.l10n.t('Enter points as a number such as 3, or choose "unestimated".'),
    enterRequester: vscode.l10n.t('Enter who requested the story.'),
    noMember: (name: string) => vscode.l10n.t('{0} is not a member of this project.', name),
    savedField: (field: DraftField, id: number) => vscode.l10n.t('Story #{0}: {1} saved.', id, labels[field]),
    notRead: vscode.l10n.t('Not saved, because the story could not be read. Try again.'),
    notKept: vscode.l10n.t('The server did not store this as you wrote it. Change it and save it again.'),
    changedSince: vscode.l10n.t('Not saved, because it was changed elsewhere.'),
  };
}

/** A story that no server has yet. */
function newStoryTexts(vscode: Translating) {
  return {
    newStory: vscode.l10n.t('New Story'),
    create: vscode.l10n.t('Create Story'),
    landsIn: (list: string, project: string) => vscode.l10n.t('New story in {0} of {1}', list, project),
    place: (place: ShownPlace) => {
      if ('number' in place) {
        const { list, number } = place;
        return list === 'current' ? vscode.l10n.t('Current {0}', number) : vscode.l10n.t('Backlog {0}', number);
      }
      return place.list === 'icebox' ? vscode.l10n.t('Icebox') : vscode.l10n.t('Done');
    },
    attachLater: vscode.l10n.t('You can attach files once the story is created.'),
    created: (id: number) => vscode.l10n.t('Created story #{0}.', id),
    unfinished: (time: string) => vscode.l10n.t('Unfinished story from {0}', time),
    startEmpty: vscode.l10n.t('Start Empty'),
    discardStory: vscode.l10n.t('Discard New Story'),
    restoreStory: vscode.l10n.t('Restore Discarded Story'),
  };
}

/** What was left unsaved in a tab that was closed. */
function closedTabTexts(vscode: Translating) {
  return {
    unsavedText: (id: number) =>
      vscode.l10n.t('Story #{0} has unsaved text, which you will find when you open it again.', id),
    openAgain: vscode.l10n.t('Open Story'),
    gone: (id: number) =>
      id > 0
        ? vscode.l10n.t('Story #{0} no longer exists. What you wrote in it was not saved.', id)
        : vscode.l10n.t('The story no longer exists. What you wrote in it was not saved.'),
    showText: vscode.l10n.t('Show Text'),
  };
}
