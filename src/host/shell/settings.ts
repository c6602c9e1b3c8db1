import * as vscode from 'vscode';

const section = () => vscode.workspace.getConfiguration('storyTracker');

const NOTIFICATION_KINDS = ['assigned', 'rejected', 'delivered', 'commented', 'mentioned'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** What to be notified of: none unless a person wished for it. */
export function notifications(): readonly NotificationKind[] {
  const wished = section().get<readonly unknown[]>('notifications');
  return NOTIFICATION_KINDS.filter((kind) => Array.isArray(wished) && wished.includes(kind));
}

/** Where the person set it: for all windows, and for this workspace when it has a wish of its own. */
export async function turnOffNotifications(): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await section().update('notifications', [], Global);
  if (notifications().length > 0) await section().update('notifications', [], Workspace);
}

/** Whether servers are offered to what in VS Code speaks the Model Context Protocol. */
export function areServersOffered(): boolean {
  return section().get<boolean>('agents.offerServers') === true;
}

interface BuiltInSettings {
  /** Signs in to the built-in service without being asked when nobody is signed in. */
  readonly automaticSignIn: boolean;
  readonly demoProject: boolean;
  /** Absolute path; empty for the user's data folder. */
  readonly dataFolder: string;
}

export function builtInSettings(): BuiltInSettings {
  return {
    automaticSignIn: section().get<string>('builtIn.signIn') === 'automatic',
    demoProject: section().get<boolean>('builtIn.demoProject') === true,
    dataFolder: section().get<string>('builtIn.dataFolder') ?? '',
  };
}
