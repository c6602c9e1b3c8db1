import type { CompiledQuery } from 'kysely';

interface LastStatement {
  readonly query: CompiledQuery;
  /** Told of the rows once all is committed. */
  readonly committed: (rows: readonly unknown[]) => void;
}

const nothing = (): void => undefined;

/**
 * Statements that are sent together with the commit of a transaction, in this order: what they lock is held no longer than the database
 * takes to commit, not while anyone is on the way to it, or has stopped.
 */
export class TransactionEnd {
  private readonly first: LastStatement[] = [];
  private readonly last: LastStatement[] = [];

  add<R>(query: CompiledQuery<R>, committed: (rows: readonly R[]) => void = nothing): void {
    this.last.push({ query, committed: (rows) => committed(rows as readonly R[]) });
  }

  /** One that may wait for others, which those who hold the counter of versions must not. */
  addBeforeVersions(query: CompiledQuery): void {
    this.first.push({ query, committed: nothing });
  }

  get queries(): readonly CompiledQuery[] {
    return this.statements.map(({ query }) => query);
  }

  /** To be told of the rows of each statement. */
  committed(answers: readonly (readonly unknown[])[]): void {
    for (const [index, { committed }] of this.statements.entries()) committed(answers[index] ?? []);
  }

  private get statements(): readonly LastStatement[] {
    return [...this.first, ...this.last];
  }
}
