import * as vscode from 'vscode';
import type { IntentRequest } from '../../core/intents/intentRequest.ts';
import type { OutboxEntry } from '../../core/outbox/outbox.ts';
import type { App } from '../../host/app.ts';

/** As `register` names it. */
const PREVIEW_SCHEME = 'story-tracker-unsent';

type Needs = Pick<App, 'accounts' | 'engine'>;

/** Opens what would be sent for an entry, to be read only. */
export async function openPreview({ id, intent }: OutboxEntry): Promise<void> {
  const name = intent.kind === 'newStory' ? 'newStory.xml' : `${intent.kind}-${intent.storyId}.xml`;
  const document = await vscode.workspace.openTextDocument(
    vscode.Uri.from({ scheme: PREVIEW_SCHEME, path: `/${name}`, query: id }),
  );
  await vscode.window.showTextDocument(document, { preview: true });
}

/** The text of such a document: the body to the letter, or what stands in its place. */
export async function previewText({ accounts, engine }: Needs, { query: id }: vscode.Uri): Promise<string> {
  const entry = (await accounts.outbox.entries()).find((one) => one.id === id);
  if (!entry) return comment(vscode.l10n.t('This change is no longer unsent.'));
  return textOf(await engine.intentRequests.requestFor(entry.project.projectId, entry.intent));
}

function textOf({ method, path, body }: IntentRequest): string {
  return body ?? comment(vscode.l10n.t('This request has no body: {0}', `${method} ${decodeURIComponent(path)}`));
}

function comment(text: string): string {
  return `<!-- ${text.replaceAll('--', '- -')} -->\n`;
}
