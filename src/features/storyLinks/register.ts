import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import type { OpenNeeds } from './commands.ts';
import type { StoryLinks } from './storyLinks.ts';

/** `#12` as a link wherever commits and code are read, while someone is signed in. */
export function register(app: OpenNeeds & Pick<App, 'commands'>): vscode.Disposable {
  let links: Promise<StoryLinks> | undefined;
  let isDisposed = false;
  const end = () => {
    void links?.then((all) => all.dispose());
    links = undefined;
  };
  const look = async () => {
    const isSignedIn = (await app.accounts.list()).length > 0 && !isDisposed;
    if (isSignedIn) links ??= import('./storyLinks.ts').then((module) => new module.StoryLinks(app));
    else end();
  };
  const begin = () => void look().catch((thrown: unknown) => app.log.warn(String(thrown)));
  const dispose = () => {
    isDisposed = true;
    end();
  };
  begin();
  return vscode.Disposable.from(
    { dispose },
    app.accounts.onDidChange(begin),
    app.commands.command(commandIds.openMentionedStory, async (...args) =>
      (await import('./commands.ts')).openMentionedStory(app, ...args),
    ),
  );
}
