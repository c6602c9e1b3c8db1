import { createPacResolver } from 'pac-resolver';
import { QuickJS } from 'quickjs-wasi';
import { listen } from './testServer.ts';

/** A proxy configuration script (PAC) on a server, and what reads it as a browser does. */
export interface ProxyScript {
  readonly url: string;
  /** Fetches the script and has its `FindProxyForURL` answer for an address, as it stands. Rejects when it cannot. */
  answer(url: string): Promise<string>;
  close(): Promise<void>;
}

/** Serves `script` on this machine with the type that browsers ask for. */
export async function serveProxyScript(script: string): Promise<ProxyScript> {
  const server = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ns-proxy-autoconfig' }).end(script);
  });
  const url = `${server.url}/proxy.pac`;
  return {
    url,
    answer: async (address) => {
      const text = await (await fetch(url)).text();
      return createPacResolver(await QuickJS.create(), text)(address);
    },
    close: () => server.close(),
  };
}
