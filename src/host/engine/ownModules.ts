import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** A module that VS Code brings along for itself, from each place where it may be. Nothing promises that it stays. */
export function ownModules(name: string): readonly unknown[] {
  const load = createRequire(join(vscode.env.appRoot, 'package.json'));
  return ['node_modules.asar', 'node_modules'].flatMap((folder) => {
    try {
      const found: unknown = load(join(vscode.env.appRoot, folder, name));
      return [found];
    } catch {
      return [];
    }
  });
}
