import type { ShownPlace } from '../../core/moves/newPlaces.ts';
import { conflictTexts } from '../../host/story/conflictTexts.ts';
import type { Translating } from '../../host/story/fieldLabels.ts';
import type { DraftField } from './storyDrafts.ts';

type FieldWords = Readonly<Record<DraftField, string>>;

/** The texts of the panel that are about writing, in the person's language. */
export function writingTexts(vscode: Translating) {
  const labels: FieldWords = {
    name: vscode.l10n.t('Name'),
    description: vscode.l10n.t('Description'),
    type: vscode.l10n.t('Type'),
    estimate: vscode.l10n.t('Estimate'),
    ownedBy: vscode.l10n.t('Owner'),
    requestedBy: vscode.l10n.t('Requester'),
    labels: vscode.l10n.t('Labels'),
    deadline: vscode.l10n.t('Deadline'),
  };
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
