import { UsageError } from '../ground/usageError.ts';

/** Says which user a person of a file is. */
export const personOption = {
  person: {
    type: 'string',
    multiple: true,
    default: [] as string[],
    value: 'NAME=ADDRESS',
    help: 'who is called NAME in the file is the user with this address, and becomes a member',
  },
} as const;

/** Addresses by names. Throws `UsageError` for what is no name with an address. */
export function readPersons(given: readonly string[]): ReadonlyMap<string, string> {
  const persons = new Map<string, string>();
  for (const text of given) {
    const end = text.lastIndexOf('=');
    const [name, address] = [text.slice(0, Math.max(end, 0)).trim(), text.slice(end + 1).trim()];
    if (name === '' || address === '') {
      throw new UsageError(`--person must be like "Ada Lovelace=ada@example.org", not "${text}".`);
    }
    if (persons.has(name)) throw new UsageError(`--person names ${name} twice.`);
    persons.set(name, address);
  }
  return persons;
}
