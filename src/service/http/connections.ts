import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { networkOf, plainAddress } from './clientAddress.ts';
import { Connection } from './connection.ts';
import { Greetings } from './greetings.ts';
import { PieceTurns } from './pieceTurns.ts';

/** Bytes of what may wait on all connections together; who sends more is cut off. */
const MOST_WAITING = 2 * 1024 * 1024;
/** Bytes of what waits on a connection that is not the one cut off when all together are too many. */
const FAIR = 32 * 1024;
/** Connections of one user who keeps nobody else out. */
const FEW = 16;

/** All that are open, found by what their requests came over. */
export class Connections {
  readonly pieces = new PieceTurns();
  private readonly greetings = new Greetings();
  private readonly known = new WeakMap<Socket, Connection>();
  /** What was opened and greets in TLS. Its address would not tell: a connection whose caller is gone may have the same. */
  private readonly greeted = new AsyncLocalStorage<Socket>();
  private readonly open = new Set<Connection>();
  /** How many are open, by their holders. */
  private readonly held = new Map<string, number>();
  /** Those on which requests wait, with the bytes of those, and that are not cut off. */
  private readonly waiting = new Map<Connection, number>();
  /** Bytes of what waits on all, and on those alone that are not cut off. */
  private weight = 0;
  private weightLeft = 0;

  /** One was opened. Where TLS is to be spoken over it, `greet` begins that, and `secure` is called in the course of it. */
  add(socket: Socket, greet?: () => void): Connection {
    const network = networkOf(plainAddress(socket.remoteAddress ?? ''));
    const greeting = greet && this.greetings.begin(socket, network, () => this.greeted.run(socket, greet));
    const connection = new Connection(socket, this, network, greeting);
    this.known.set(socket, connection);
    this.open.add(connection);
    this.count(connection.holder, 1);
    socket.once('close', () => {
      this.open.delete(connection);
      connection.end();
      this.count(connection.holder, -1);
    });
    return connection;
  }

  of(socket: Socket): Connection {
    return this.known.get(socket) ?? this.add(socket);
  }

  /** The greeting of TLS is over on one; `serve` is called when what came over it may be read. */
  secure(socket: Socket, serve: () => void): void {
    const opened = this.greeted.getStore();
    const connection = (opened && this.known.get(opened)) ?? this.add(socket);
    this.known.set(socket, connection);
    connection.goOver(socket, serve);
  }

  pass(from: string, to: string): void {
    this.count(from, -1);
    this.count(to, 1);
  }

  get openCount(): number {
    return this.open.size;
  }

  /** Those over which no request came that is not answered yet. */
  get idle(): readonly Connection[] {
    return [...this.open].filter(({ isIdle }) => isIdle);
  }

  /**
   * Where more are open than may be, or more of unknown callers, closes the one that deserves it most. First come those of unknown callers
   * from which a request, or the rest of one, is still to come, then those of a user who has many, then any other but those whose requests
   * are whole: of each the oldest of whoever has the most. So nobody is kept out who sends whole requests, and nobody sent away who is known
   * and has a few.
   */
  closeBeyond(most: number, mostUnknown = most): void {
    if (this.open.size <= Math.min(most, mostUnknown)) return;
    const open = [...this.open].filter(({ isCutOff }) => !isCutOff);
    const unknown = open.filter(({ isKnown }) => !isKnown);
    if (open.length <= most && unknown.length <= mostUnknown) return;
    const awaited = open.filter(({ isAwaited }) => isAwaited);
    const many = awaited.filter(({ holder }) => (this.held.get(holder) ?? 0) > FEW);
    const groups = [
      awaited.filter(({ isKnown }) => !isKnown),
      ...(unknown.length > mostUnknown ? [] : [many]),
      unknown,
      awaited,
    ];
    this.oldestOf(groups.find(({ length }) => length > 0) ?? [])?.cutOff();
  }

  private oldestOf(connections: readonly Connection[]): Connection | undefined {
    let most = 0;
    let oldest: Connection | undefined;
    for (const connection of connections) {
      const held = this.held.get(connection.holder) ?? 0;
      if (held < most || (held === most && oldest !== undefined && oldest.since <= connection.since)) continue;
      most = held;
      oldest = connection;
    }
    return oldest;
  }

  private count(holder: string, growth: number): void {
    const held = (this.held.get(holder) ?? 0) + growth;
    if (held > 0) this.held.set(holder, held);
    else this.held.delete(holder);
  }

  /**
   * Where too much waits in all, who came now with many is cut off, or else the heaviest connection of whoever has the most. What was cut
   * off counts until it is closed, but costs nobody their connection who has few.
   */
  note(connection: Connection, growth: number): void {
    this.weight += growth;
    if (connection.isCutOff) return;
    this.leave(connection);
    if (connection.weight > 0) {
      this.waiting.set(connection, connection.weight);
      this.weightLeft += connection.weight;
    }
    if (growth <= 0 || this.weight <= MOST_WAITING) return;
    if (connection.weight > FAIR) connection.cutOff();
    else if (this.weightLeft > MOST_WAITING) this.heaviest()?.cutOff();
  }

  leave(connection: Connection): void {
    this.weightLeft -= this.waiting.get(connection) ?? 0;
    this.waiting.delete(connection);
  }

  private heaviest(): Connection | undefined {
    const weights = new Map<string, number>();
    for (const [{ holder }, weight] of this.waiting) weights.set(holder, (weights.get(holder) ?? 0) + weight);
    const most = Math.max(...weights.values());
    let heaviest: Connection | undefined;
    for (const one of this.waiting.keys()) {
      if (weights.get(one.holder) === most && one.weight > (heaviest?.weight ?? 0)) heaviest = one;
    }
    return heaviest;
  }
}
