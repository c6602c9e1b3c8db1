import { createHash } from 'node:crypto';
import type { ImportedStory } from './importedStory.ts';

/** Characters of 64 kinds: enough that two texts of one field never have the same. */
const LENGTH = 8;

/** What a file says of a story, field by field, short enough to be kept: `name=x1Yz…;state=…`. Where it stands says nothing. */
export function fieldDigests({ row: _, ...story }: ImportedStory): string {
  return Object.entries(story)
    .map(([field, value]) => `${field}=${digestOf(value)}`)
    .join(';');
}

/** The story with those fields only of which a file says something else than the one before, and the name that it has here if that is none. */
export function withNews(story: ImportedStory, now: string, before: string, name: string): ImportedStory {
  const known = new Set(before.split(';'));
  const old = new Set(now.split(';').flatMap((digest) => (known.has(digest) ? [digest.split('=')[0]] : [])));
  const news: Partial<ImportedStory> = Object.fromEntries(Object.entries(story).filter(([field]) => !old.has(field)));
  const { row, externalId } = story;
  return { name, notes: [], tasks: [], attachments: [], ...news, row, externalId };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, LENGTH);
}
