import { fileURLToPath } from 'node:url';
import { openVsCode, type VsCode, type VsCodeOptions } from '../support/windows/vscodeHost.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A window of someone who is signed in to the built-in service with its demo project, all of it kept in `dataFolder`. */
export function openBuiltInWindow(
  dataFolder: string,
  { userSettings, ...options }: Omit<VsCodeOptions, 'extensionPath'>,
): Promise<VsCode> {
  return openVsCode({
    extensionPath: root,
    userSettings: {
      'storyTracker.builtIn.signIn': 'automatic',
      'storyTracker.builtIn.demoProject': true,
      'storyTracker.builtIn.dataFolder': dataFolder,
      ...userSettings,
    },
    ...options,
  });
}
