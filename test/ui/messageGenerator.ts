import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The title of the generator's command. */
export const GENERATE = 'Generate Commit Message';

/**
 * Writes an extension that stands in for one that generates commit messages: its command writes `message` into the message box
 * of the first repository word by word, each time the whole of it. Gives its folder.
 */
export async function messageGenerator(folder: string, message: string): Promise<string> {
  const manifest = {
    name: 'message-generator',
    publisher: 'story-tracker-tests',
    version: '1.0.0',
    engines: { vscode: '^1.116.0' },
    main: './main.js',
    extensionDependencies: ['vscode.git'],
    contributes: { commands: [{ command: 'messageGenerator.generate', title: GENERATE }] },
  };
  const main = `const vscode = require('vscode');
exports.activate = (context) => {
  context.subscriptions.push(vscode.commands.registerCommand('messageGenerator.generate', async () => {
    const { inputBox } = vscode.extensions.getExtension('vscode.git').exports.getAPI(1).repositories[0];
    const words = ${JSON.stringify(message)}.split(' ');
    for (let count = 1; count <= words.length; count++) {
      inputBox.value = words.slice(0, count).join(' ');
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }));
};
`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.js'), main);
  return folder;
}
