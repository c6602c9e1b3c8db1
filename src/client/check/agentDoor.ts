import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { AGENT_PATH, type Network } from '../../core/ports/connection.ts';
import { DEFAULT_TIMEOUTS } from '../http/timeouts.ts';
import { addressOf, parseBaseUrl } from '../network/baseUrl.ts';
import { connectionsOver } from '../network/connections.ts';
import { routesTo } from '../network/route.ts';
import type { Negotiate } from '../network/tunnel.ts';

interface Asked {
  readonly baseUrl: string;
  readonly network: Network;
  readonly negotiate?: Negotiate;
  readonly log: Log;
}

/**
 * Whether a server speaks the Model Context Protocol: it says so by taking POST there and nothing else (docs/service.md). Sends no token, and
 * follows no redirect. `false` also where the server does not answer.
 */
export async function hasAgentDoor({ baseUrl, network, negotiate, log }: Asked): Promise<boolean> {
  const timeout = DEFAULT_TIMEOUTS.connect;
  const server = parseBaseUrl(baseUrl);
  const connections = connectionsOver(routesTo(server, network, timeout, negotiate), server);
  try {
    const address = addressOf(server, AGENT_PATH);
    const { statusCode, headers, body } = await connections.request(address, {
      method: 'GET',
      headersTimeout: timeout,
    });
    await body.dump();
    return statusCode === 405 && String(headers.allow) === 'POST';
  } catch (thrown) {
    log.debug(`${server.host}: no agents, since it could not be asked: ${messageOf(thrown)}`);
    return false;
  } finally {
    await connections.close();
  }
}
