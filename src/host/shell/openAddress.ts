import * as vscode from 'vscode';

/**
 * Opens an address of the web character by character as it is. A `Uri` forgets which characters were escaped, and a signed
 * address with `%2B` would come out with a plus, which is a space there.
 */
export async function openAddress(address: string): Promise<void> {
  // VS Code takes a string as well, though its types do not say so.
  await Reflect.apply(vscode.env.openExternal, vscode.env, [address]);
}
