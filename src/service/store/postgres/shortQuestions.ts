import { Client, type ClientConfig, type Connection, type Submittable } from 'pg';
import { withConnectionRetries } from './connectionPool.ts';

/** A prepared statement that is asked again and again. Its name is its own on every connection. */
export interface ShortStatement {
  readonly name: string;
  readonly text: string;
}

/** A row as PostgreSQL writes it. */
type TextRow = readonly (string | null)[];
type Told = (error: unknown, rows?: readonly TextRow[]) => void;

/**
 * One asking of a prepared statement. It leaves out what the driver does for all kinds of queries, which takes more of the
 * processor than the round trip itself.
 */
class ShortQuestion implements Submittable {
  /** The driver puts its time-out around it. */
  callback: Told;
  private readonly statement: ShortStatement;
  private readonly values: readonly string[];
  private readonly isFirst: boolean;
  private readonly rows: TextRow[] = [];

  /** `isFirst` on its connection, where the statement must be prepared. */
  constructor(statement: ShortStatement, values: readonly string[], isFirst: boolean, callback: Told) {
    this.statement = statement;
    this.values = values;
    this.isFirst = isFirst;
    this.callback = callback;
  }

  submit(connection: Connection): void {
    const { name, text } = this.statement;
    connection.stream.cork();
    if (this.isFirst) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values: [...this.values] }, true);
    connection.execute({}, true);
    connection.sync();
    connection.stream.uncork();
  }

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.rows.push(fields);
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(undefined, this.rows);
  }

  handleCommandComplete(): void {}
}

/** A connection and the names of the statements that are prepared on it. */
interface Connected {
  /** Another one for each connection of this process. */
  readonly session: number;
  readonly client: Client;
  readonly prepared: Set<string>;
}

interface Answer {
  readonly rows: readonly TextRow[];
  /** Of the connection that was asked: over another one, another server may answer, or the same one set back to an earlier state. */
  readonly session: number;
}

/** One connection, kept for short questions that are asked one after the other. One that breaks is replaced with the next question. */
export class ReconnectingClient {
  private readonly config: ClientConfig;
  private readonly patience: number;
  private kept: Connected | undefined;
  private sessions = 0;
  private isEnded = false;

  /** Where the server has no room for one more connection, it is waited for so many milliseconds. */
  constructor(config: ClientConfig, patience: number) {
    this.config = config;
    this.patience = patience;
  }

  /** Not to be asked again before it has answered. Throws what the driver throws. */
  async ask(statement: ShortStatement, values: readonly string[] = []): Promise<Answer> {
    const kept = this.kept ?? (await this.connected());
    const { client, prepared, session } = kept;
    const isFirst = !prepared.has(statement.name);
    try {
      const rows = await new Promise<readonly TextRow[]>((resolve, reject) => {
        const told = (error: unknown, found: readonly TextRow[] = []) => (error ? reject(error) : resolve(found));
        client.query(new ShortQuestion(statement, values, isFirst, told));
      });
      prepared.add(statement.name);
      return { rows, session };
    } catch (error) {
      this.forget(kept);
      client.end().catch(() => undefined);
      throw error;
    }
  }

  async end(): Promise<void> {
    const { kept } = this;
    this.isEnded = true;
    this.kept = undefined;
    await kept?.client.end();
  }

  private async connected(): Promise<Connected> {
    this.refuseEnded();
    const kept = await withConnectionRetries(this.patience, () => this.newSession());
    if (this.isEnded) await kept.client.end();
    this.refuseEnded();
    this.kept = kept;
    return kept;
  }

  private async newSession(): Promise<Connected> {
    this.refuseEnded();
    this.sessions += 1;
    const kept = { session: this.sessions, client: new Client(this.config), prepared: new Set<string>() };
    kept.client.on('error', () => this.forget(kept));
    await kept.client.connect();
    return kept;
  }

  private refuseEnded(): void {
    if (this.isEnded) throw new Error('This store is closed.');
  }

  private forget(kept: Connected): void {
    if (this.kept === kept) this.kept = undefined;
  }
}

/** Milliseconds for which those who ask are waited for who asked at the same time before; the shortest that there is. */
const PATIENCE = 1;

/** Those who share an answer that is not asked for yet. */
interface Sharers<T> {
  readonly answer: PromiseWithResolvers<T>;
  count: number;
}

/**
 * A question whose answer must not be older than the asking: those who ask while it is out share the next one, so that one at
 * a time is out however many ask. One who asks alone waits for nobody; where several ask at once again and again, the next
 * question waits a moment until half as many are there, since it costs more than all else about an answer.
 */
export function latestAnswer<T>(ask: () => Promise<T>): () => Promise<T> {
  const question = new Question(ask);
  return () => question.ask();
}

class Question<T> {
  private readonly question: () => Promise<T>;
  private next: Sharers<T> | undefined;
  private isOut = false;
  private expected = 1;
  private timer: NodeJS.Timeout | undefined;

  constructor(question: () => Promise<T>) {
    this.question = question;
  }

  ask(): Promise<T> {
    this.next ??= { answer: Promise.withResolvers(), count: 0 };
    this.next.count += 1;
    const { answer } = this.next;
    if (!this.isOut) this.beginSoon(this.next);
    return answer.promise;
  }

  private beginSoon(sharers: Sharers<T>): void {
    if (sharers.count >= this.expected) this.begin(sharers);
    else this.timer ??= setTimeout(() => this.begin(sharers), PATIENCE);
  }

  private begin(sharers: Sharers<T>): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.next = undefined;
    this.isOut = true;
    const isBack = (): void => {
      this.isOut = false;
      this.expected = Math.ceil((sharers.count + (this.next?.count ?? 0)) / 2);
      if (this.next) this.beginSoon(this.next);
    };
    this.question().then(sharers.answer.resolve, sharers.answer.reject).finally(isBack);
  }
}
