import * as vscode from 'vscode';
import type { MarkerVerb } from '../core/marker.ts';

const section = () => vscode.workspace.getConfiguration('storyTracker');

/** Header that carries the token; machine-scoped, so no workspace decides it. */
export function tokenHeader(): string {
  return section().get<string>('tokenHeader') || 'X-ServiceToken';
}

export function commitVerb(): MarkerVerb {
  const verb = section().get<string>('commit.verb');
  return verb === 'finishes' || verb === 'delivers' || verb === '' ? verb : 'fixes';
}

export interface BuiltInSettings {
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
