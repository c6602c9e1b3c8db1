import type { Connection, Submittable } from 'pg';

/** A prepared statement that is asked again and again. Its name is its own on every connection. */
export interface ShortStatement {
  readonly name: string;
  readonly text: string;
}

/** A row as PostgreSQL writes it. */
export type TextRow = readonly (string | null)[];
type Told = (error: unknown, rows?: readonly TextRow[]) => void;

/**
 * One asking of a prepared statement. It leaves out what the driver does for all kinds of queries, which takes more of the
 * processor than the round trip itself.
 */
export class ShortQuestion implements Submittable {
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
