import * as vscode from 'vscode';
import { areServersOffered } from '../../host/shell/settings.ts';
import type { ToolNeeds } from './agentTool.ts';
import type { OfferNeeds } from './offeredServers.ts';

/**
 * What agents in VS Code can have done, by the names of the manifest; what it takes is loaded with the first call. Servers are offered
 * where that is wished for: VS Code itself has the tools without.
 */
export function register(app: ToolNeeds & OfferNeeds, tools: readonly { readonly name: string }[]): vscode.Disposable {
  const load = () => import('./commands.ts');
  const tool = (name: string): vscode.LanguageModelTool<unknown> => ({
    prepareInvocation: async ({ input }) => (await load()).prepareTool(app, name, input),
    invoke: async ({ input }, token) => (await load()).invokeTool(app, name, input, token),
  });
  // Editors that are built upon VS Code may have neither tools nor servers for agents.
  let offered: Promise<vscode.Disposable> | undefined;
  const look = () => {
    if (vscode.lm && 'registerMcpServerDefinitionProvider' in vscode.lm && areServersOffered())
      offered ??= import('./offeredServers.ts').then((module) => module.offerServers(app));
  };
  look();
  const registerTool = vscode.lm?.registerTool;
  return vscode.Disposable.from(
    ...(registerTool ? tools.map(({ name }) => registerTool(name, tool(name))) : []),
    vscode.workspace.onDidChangeConfiguration(look),
    { dispose: async () => (await offered)?.dispose() },
  );
}
