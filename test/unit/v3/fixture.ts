import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../fixtures/v3/', import.meta.url);

/** A document written by hand, as it stands. */
export function fixture(name: string): string {
  return readFileSync(new URL(`${name}.xml`, folder), 'utf8');
}

export const fixtureNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.xml'))
  .map((name) => name.slice(0, -'.xml'.length))
  .sort();
