import type { Log } from '../../core/log.ts';
import { type Network, plainNetwork } from '../../core/ports/connection.ts';
import type { CallOptions } from '../../core/ports/tracker.ts';
import { type EndpointName, type EndpointParams, endpointPath, endpoints } from '../../v3/endpoints.ts';
import { isLoopback, parseBaseUrl } from '../network/baseUrl.ts';
import { type Connections, connectionsOver } from '../network/connections.ts';
import { routesTo } from '../network/route.ts';
import type { Negotiate } from '../network/tunnel.ts';
import type { AnswerReader } from './answers.ts';
import { type Pace, realPace } from './pace.ts';
import { type Call, Sender } from './sender.ts';
import { DEFAULT_TIMEOUTS, type Timeouts, TimeSpent } from './timeouts.ts';
import { checkedTokenHeader } from './tokenHeader.ts';

export interface TrackerOptions {
  /** http or https, perhaps with a port and a sub-path. */
  readonly baseUrl: string;
  /** Asked for every request; kept nowhere. */
  readonly token: () => Promise<string>;
  /** `X-ServiceToken` when left out. */
  readonly tokenHeader?: string;
  readonly log: Log;
  readonly timeouts?: Partial<Timeouts>;
  /** Proxies and certificates; `plainNetwork` when left out. */
  readonly network?: Network;
  /** Signs in to proxies that ask for Kerberos. */
  readonly negotiate?: Negotiate;
  readonly pace?: Pace;
  /** Whether reads ask for gzip. Left out: unless the server is on this machine, where it costs more than it saves. */
  readonly isCompressed?: boolean;
}

/** What is sent, without who sends it. */
export interface RequestToSend extends Pick<Call<unknown>, 'method' | 'path' | 'query'> {
  readonly body?: { readonly contentType: string; readonly text: string };
}

/** The connections to one server, and what is under way over them. */
interface Line {
  readonly connections: Connections;
  readonly sender: Sender;
  readonly underWay: Set<Promise<unknown>>;
}

/** The calls to one server. Throws `TrackerError` `input`. */
export function callsTo(options: TrackerOptions): Calls {
  const { baseUrl, token, tokenHeader, log, network = plainNetwork, pace = realPace } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const base = parseBaseUrl(baseUrl);
  const connections = connectionsOver(routesTo(base, network, timeouts.connect, options.negotiate), base);
  const sender = new Sender({
    base,
    connections,
    token,
    tokenHeader: checkedTokenHeader(tokenHeader),
    isCompressed: options.isCompressed ?? !isLoopback(base.hostname),
    timeouts,
    pace,
    log,
  });
  return new Calls({ connections, sender, underWay: new Set() });
}

/** Puts calls into requests of the protocol, and knows which are under way. */
export class Calls {
  private readonly line: Line;
  private readonly spent: TimeSpent | undefined;

  constructor(line: Line, spent?: TimeSpent) {
    this.line = line;
    this.spent = spent;
  }

  /** Calls over the same connections whose reads share the time of one, of which `waited` milliseconds have passed. */
  sharingTime(waited: number): Calls {
    return new Calls(this.line, new TimeSpent(waited));
  }

  /** Ends what is under way and closes all connections. */
  close(): Promise<void> {
    return this.line.connections.close();
  }

  /** Closes all connections once what is under way has ended. To be given no more calls. */
  async retire(): Promise<void> {
    const { underWay } = this.line;
    while (underWay.size > 0) await Promise.allSettled(underWay);
    await this.close();
  }

  async call<N extends EndpointName, T>(
    name: N,
    params: EndpointParams<N>,
    read: AnswerReader<T>,
    options: CallOptions = {},
    more: Pick<Call<T>, 'query' | 'body' | 'login' | 'onTag' | 'patience'> = {},
  ): Promise<T> {
    return this.send({ method: endpoints[name].method, path: endpointPath(name, params), ...more }, read, options);
  }

  async send<T>(
    request: Omit<Call<T>, 'read' | 'signal' | 'mayGo' | 'ifMatch' | 'spent'>,
    read: AnswerReader<T>,
    { signal, mayGo, ifMatch, waited }: CallOptions = {},
  ): Promise<T> {
    const { sender, underWay } = this.line;
    const spent = waited === undefined ? this.spent : new TimeSpent(waited);
    const calling = sender.call({ ...request, read, signal, mayGo, ifMatch, spent });
    underWay.add(calling);
    try {
      return await calling;
    } finally {
      underWay.delete(calling);
    }
  }
}
