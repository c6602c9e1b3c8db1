import type { Translating } from '../../host/story/fieldLabels.ts';
import type { FieldProblems, SettingField } from './settingsFields.ts';
import type { IntegrationTexts, SectionName, TransferCommand } from './settingsMessages.ts';

/** Every text of the tab, in the person's language. */
export function settingsPanelTexts(vscode: Translating) {
  return {
    ...pageTexts(vscode),
    ...noticeTexts(vscode),
    sections: sectionTexts(vscode),
    labels: labelTexts(vscode),
    hints: hintTexts(vscode),
    weekdays: weekdayTexts(vscode),
    weeks: (count: number) => (count === 1 ? vscode.l10n.t('1 week') : vscode.l10n.t('{0} weeks', count)),
    scheme: (count: number) =>
      count === 1 ? vscode.l10n.t('Last iteration') : vscode.l10n.t('Average of {0} iterations', count),
    problems: problemTexts(vscode),
    strengths: strengthTexts(vscode),
    members: memberTexts(vscode),
    integrations: integrationTexts(vscode),
    transfer: transferTexts(vscode),
    plan: planTexts(vscode),
  };
}

interface TransferTexts {
  readonly heading: string;
  readonly hint: string;
  readonly commands: Readonly<Record<TransferCommand, string>>;
}

export type SettingsPanelTexts = ReturnType<typeof settingsPanelTexts>;

function pageTexts({ l10n }: Translating) {
  return {
    title: (name: string, server?: string) =>
      server === undefined ? l10n.t('Settings: {0}', name) : l10n.t('Settings: {0} ({1})', name, server),
    heading: l10n.t('Project Settings'),
    loading: l10n.t('Loading…'),
    save: l10n.t('Save'),
    saveNamed: (section: string) => l10n.t('Save {0}', section),
    discard: l10n.t('Discard'),
    discardNamed: (section: string) => l10n.t('Discard changes to {0}', section),
    unsaved: l10n.t('Unsaved'),
    saved: l10n.t('Saved.'),
    changedElsewhere: l10n.t('Someone else changed this. It is now:'),
    chooseFirst: l10n.t('Choose which value to keep first.'),
    keepMine: l10n.t('Keep Mine'),
    takeTheirs: l10n.t('Take Theirs'),
    empty: l10n.t('Nothing'),
    on: l10n.t('On'),
    off: l10n.t('Off'),
    tryAgain: l10n.t('Try Again'),
    isSigned: l10n.t('A secret is set. Enter another one to replace it.'),
    removeSecret: l10n.t('Remove Secret'),
  };
}

function noticeTexts({ l10n }: Translating) {
  return {
    notOwner: (role: string) => l10n.t('You are a {0} of this project. Only its owners can change settings.', role),
    notOffered: (host: string) => l10n.t('{0} does not offer project settings.', host),
    away: (host: string) => l10n.t('{0} is not reachable. Settings can be changed when it is.', host),
    signedOut: l10n.t('You are signed out of this server. Sign in to change settings.'),
    gone: l10n.t('This project no longer exists, or you are no longer a member.'),
  };
}

function sectionTexts({ l10n }: Translating): Readonly<Record<SectionName, string>> {
  return {
    general: l10n.t('General'),
    planning: l10n.t('Planning'),
    stories: l10n.t('Stories'),
    members: l10n.t('Members'),
    integrations: l10n.t('Integrations'),
    webHook: l10n.t('Web Hook'),
  };
}

function labelTexts({ l10n }: Translating): Readonly<Record<SettingField, string>> {
  return {
    name: l10n.t('Name'),
    numberOfDoneIterationsToShow: l10n.t('Done iterations to show'),
    useHttps: l10n.t('Require HTTPS'),
    pointScale: l10n.t('Point scale'),
    bugsAndChoresAreEstimatable: l10n.t('Estimate bugs and chores'),
    iterationLength: l10n.t('Iteration length'),
    weekStartDay: l10n.t('First day of an iteration'),
    startDate: l10n.t('Start date'),
    velocityScheme: l10n.t('Velocity'),
    initialVelocity: l10n.t('Initial velocity'),
    commitMode: l10n.t('Commit mode'),
    strengths: l10n.t('Iterations that differ'),
    enableTasks: l10n.t('Stories have tasks'),
    allowAttachments: l10n.t('Stories have attachments'),
    webHookUrl: l10n.t('URL'),
    webHookSecret: l10n.t('Secret'),
  };
}

function hintTexts({ l10n }: Translating): Partial<Readonly<Record<SettingField, string>>> {
  return {
    useHttps: l10n.t('The server offers this project only over TLS, or on its own machine.'),
    pointScale: l10n.t('Whole numbers in ascending order, such as 0, 1, 2, 3, 5, 8. Stories keep their estimates.'),
    startDate: l10n.t('Iterations are counted from here. Without a date, from the first accepted story.'),
    velocityScheme: l10n.t('Points that the plan expects in an iteration.'),
    initialVelocity: l10n.t('Used until stories have been accepted in an iteration.'),
    commitMode: l10n.t('Nothing is planned into the current iteration. The team starts what it chooses to.'),
    webHookUrl: l10n.t('Each activity of the project is posted to this URL. Leave it empty to turn the web hook off.'),
    webHookSecret: l10n.t('Used to sign what is posted. Enter 16 to 500 characters. It is never shown again.'),
  };
}

function weekdayTexts({ l10n }: Translating): Readonly<Record<string, string>> {
  return {
    Monday: l10n.t('Monday'),
    Tuesday: l10n.t('Tuesday'),
    Wednesday: l10n.t('Wednesday'),
    Thursday: l10n.t('Thursday'),
    Friday: l10n.t('Friday'),
    Saturday: l10n.t('Saturday'),
    Sunday: l10n.t('Sunday'),
  };
}

function problemTexts({ l10n }: Translating): FieldProblems {
  return {
    number: l10n.t('Enter a whole number.'),
    name: l10n.t('Enter a name.'),
    pointScale: l10n.t('Enter whole numbers in ascending order, such as 0, 1, 2, 3.'),
    strengths: l10n.t('Enter the number of an iteration, and its team strength in percent.'),
    strengthTwice: l10n.t('Each iteration can be listed once.'),
  };
}

function strengthTexts({ l10n }: Translating) {
  return {
    iteration: l10n.t('Iteration'),
    strength: l10n.t('Team strength in percent'),
    length: l10n.t('Length'),
    usual: l10n.t('As usual'),
    add: l10n.t('Add Iteration'),
    remove: l10n.t('Remove'),
    removeNamed: l10n.t('Remove iteration {0}', '{0}'),
    told: l10n.t('Iteration {0}: {1} %', '{0}', '{1}'),
    none: l10n.t('No exceptions.'),
  };
}

function memberTexts({ l10n }: Translating) {
  return {
    address: l10n.t('Email address'),
    role: l10n.t('Role'),
    roleOf: l10n.t('Role of {0}', '{0}'),
    roles: {
      Owner: l10n.t({ message: 'Owner', comment: 'role in a project' }),
      Member: l10n.t('Member'),
      Viewer: l10n.t('Viewer'),
    },
    add: l10n.t('Add Member'),
    remove: l10n.t('Remove…'),
    removeNamed: l10n.t('Remove {0}', '{0}'),
    removeQuestion: (name: string) => l10n.t('Remove {0} from this project?', name),
    owned: (count: number) =>
      count === 1
        ? l10n.t('They own 1 story that is not accepted. Their name stays on it.')
        : l10n.t('They own {0} stories that are not accepted. Their name stays on them.', count),
    removeAnswer: l10n.t('Remove'),
    added: (name: string) => l10n.t('Added {0}.', name),
    invited: (email: string) => l10n.t('{0} has no password yet. Send them this link, which lets them set one.', email),
    invitedHere: (email: string) =>
      l10n.t(
        '{0} has no password yet. This link lets them set one, on this computer only. Others can join once you move the project to a team server.',
        email,
      ),
    invitedByMail: (email: string) =>
      l10n.t(
        '{0} gets an email with a link to set a password. This link does the same, in case the email does not arrive.',
        email,
      ),
    worksUntil: (moment: string) => l10n.t('The link works once, until {0}.', moment),
    mailed: (email: string) => l10n.t('Added {0}, who gets an email with a link to set a password.', email),
    removed: (name: string) => l10n.t('Removed {0}.', name),
    roleChanged: (name: string, role: string) => l10n.t('{0} is now {1}.', name, role),
    keptNames: l10n.t('Names without a member'),
    keptNamesHint: l10n.t(
      'Imports keep the names of people who have no account here. Once someone is a member, choose them here.',
    ),
    whoIs: l10n.t('Who is {0}?', '{0}'),
    chooseMember: l10n.t('Choose a member…'),
    onOneStory: l10n.t('1 story'),
    onStories: l10n.t('{0} stories', '{0}'),
    giveQuestion: (name: string, member: string) => l10n.t('Is {0} the member {1}?', name, member),
    giveDetail: (count: number) =>
      count === 1
        ? l10n.t(
            '1 story with this name, with its comments and files, will be assigned to this member. This cannot be undone.',
          )
        : l10n.t(
            '{0} stories with this name, with their comments and files, will be assigned to this member. This cannot be undone.',
            count,
          ),
    give: l10n.t('Match'),
    given: (count: number, member: string) =>
      count === 1 ? l10n.t('Matched 1 story to {0}.', member) : l10n.t('Matched {0} stories to {1}.', count, member),
    copyLink: l10n.t('Copy Link'),
    copied: l10n.t('Copied the link.'),
    openStories: l10n.t('{0} open', '{0}'),
  };
}

function integrationTexts({ l10n }: Translating) {
  const labels: Readonly<Record<keyof IntegrationTexts, string>> = {
    name: l10n.t('Name'),
    fieldLabel: l10n.t('Label of a ticket ID'),
    baseUrl: l10n.t("Start of a ticket's URL"),
    type: l10n.t('Type'),
    fieldName: l10n.t("XML element of a ticket's ID"),
  };
  return {
    labels,
    add: l10n.t('Add Integration'),
    edit: l10n.t('Edit'),
    editNamed: l10n.t('Edit {0}', '{0}'),
    cancel: l10n.t('Cancel'),
    retire: l10n.t('Retire'),
    retireNamed: l10n.t('Retire {0}', '{0}'),
    restore: l10n.t('Use Again'),
    restoreNamed: l10n.t('Use Again: {0}', '{0}'),
    retired: l10n.t('Retired'),
    remove: l10n.t('Remove…'),
    removeNamed: l10n.t('Remove {0}', '{0}'),
    removeQuestion: (name: string) => l10n.t('Remove the integration {0}?', name),
    removeAnswer: l10n.t('Remove'),
    removed: (name: string) => l10n.t('Removed {0}.', name),
    linked: l10n.t('{0} linked', '{0}'),
    none: l10n.t('No integrations. Add one to link stories to tickets of another system.'),
  };
}

function transferTexts({ l10n }: Translating): TransferTexts {
  return {
    heading: l10n.t('Import, Export and Move'),
    hint: l10n.t('Import stories from a CSV or XML file, or export them to one, with their attached files.'),
    commands: {
      importStories: l10n.t('Import Stories…'),
      exportProject: l10n.t('Export Project…'),
      moveToServer: l10n.t('Move to a Server…'),
      backUp: l10n.t('Back Up the Built-in Service…'),
    },
  };
}

function planTexts({ l10n }: Translating) {
  return {
    question: (count: number) =>
      count === 1 ? l10n.t('1 story changes its iteration.') : l10n.t('{0} stories change their iteration.', count),
    story: (id: number, name: string, from: number, to: number) =>
      from === to
        ? l10n.t('#{0} {1}: iteration {2}, on other days', id, name, to)
        : l10n.t('#{0} {1}: iteration {2} → {3}', id, name, from, to),
    more: (count: number) => l10n.t('…and {0} more', count),
    velocity: (from: number, to: number) => l10n.t('The velocity changes from {0} to {1}.', from, to),
    offScale: (count: number) =>
      count === 1
        ? l10n.t('1 story has an estimate that is not in the new scale.')
        : l10n.t('{0} stories have estimates that are not in the new scale.', count),
    estimatesStay: l10n.t('Stories keep their estimates until someone changes them.'),
    save: l10n.t('Save'),
  };
}
