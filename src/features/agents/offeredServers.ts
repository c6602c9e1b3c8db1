import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { AGENT_PATH } from '../../core/ports/connection.ts';
import { withoutEnd } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import { areServersOffered } from '../../host/shell/settings.ts';

export type OfferNeeds = Pick<App, 'accounts' | 'engine'>;

/** By which the manifest names what is offered. */
const PROVIDER = 'storyTracker.servers';

/** Of whose sign-in the servers are that were offered. */
const accountsOfOffered = new WeakMap<vscode.McpServerDefinition, string>();

/** Offers them from now on, as far as the setting says, and says when that has changed. */
export function offerServers(needs: OfferNeeds): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.McpServerDefinitionProvider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: async () => (areServersOffered() ? offeredServers(needs) : []),
    resolveMcpServerDefinition: (server) => serverWithToken(needs, server),
  };
  return vscode.Disposable.from(
    changed,
    needs.accounts.onDidChange(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('storyTracker.agents')) changed.fire();
    }),
    vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, provider),
  );
}

/** The servers that someone is signed in to and that speak the Model Context Protocol. */
export async function offeredServers({ accounts, engine }: OfferNeeds): Promise<vscode.McpHttpServerDefinition[]> {
  const asked = (await accounts.list()).map(async ({ id, kind, label, baseUrl }) => {
    if (kind !== 'server' || baseUrl === undefined || !(await engine.hasAgentDoor(baseUrl))) return [];
    const server = new vscode.McpHttpServerDefinition(`Story Tracker: ${label}`, addressFor(baseUrl));
    accountsOfOffered.set(server, id);
    return [server];
  });
  return (await Promise.all(asked)).flat();
}

/**
 * The same server as VS Code starts it: only now with the token, in the one header that no redirect takes to another origin.
 * @throws TrackerError `unauthorized` when nobody is signed in there any more.
 */
export async function serverWithToken(
  { accounts }: Pick<OfferNeeds, 'accounts'>,
  server: vscode.McpServerDefinition,
): Promise<vscode.McpHttpServerDefinition> {
  const accountId = accountsOfOffered.get(server);
  if (accountId === undefined || !(server instanceof vscode.McpHttpServerDefinition)) {
    throw new TrackerError('input', 'This is no server of Story Tracker.');
  }
  const { baseUrl, token } = await accounts.access(accountId);
  const address = addressFor(baseUrl);
  if (address.toString() !== server.uri.toString()) {
    throw new TrackerError('input', vscode.l10n.t('The address of this server has changed. Start it again.'));
  }
  return new vscode.McpHttpServerDefinition(server.label, address, { Authorization: `Bearer ${token}` });
}

function addressFor(baseUrl: string): vscode.Uri {
  return vscode.Uri.parse(withoutEnd(baseUrl, '/') + AGENT_PATH, true);
}
