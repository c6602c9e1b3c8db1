import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { messageOf } from '../../core/errors.ts';
import { nearestName } from '../../core/nearestName.ts';
import { type BucketAddress, readBucketAddress } from '../attachments/bucketAddress.ts';
import { defaultDataFolder } from '../ground/dataFolder.ts';
import { UsageError } from '../ground/errors.ts';

/** Throws `UsageError` for arguments that a command does not take, with the option that was likely meant. */
export function refuseWrongArguments(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
  operands: readonly string[],
): void {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(options, token.name)) throw unknownOption(token.rawName, options);
  }
  const given = tokens.filter(({ kind }) => kind === 'positional').map((token) => args[token.index] ?? '');
  const surplus = given[operands.length];
  if (surplus !== undefined) throw new UsageError(`Unexpected argument "${surplus}".`);
  const missing = operands[given.length];
  if (missing !== undefined) throw new UsageError(`Missing ${missing}.`);
  try {
    parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function unknownOption(typed: string, options: ParseArgsOptionsConfig): UsageError {
  const nearest = nearestName(typed.replace(/^-+/, ''), Object.keys(options));
  return new UsageError(`Unknown option ${typed}.${nearest === undefined ? '' : ` Did you mean --${nearest}?`}`);
}

/** The folder that `--data` names, else the user's own. An empty name would be the folder one happens to be in. */
export function readDataFolder(given: string | undefined): string {
  if (given?.trim() === '') throw new UsageError('--data must be a folder.');
  return given ?? defaultDataFolder();
}

/** The PostgreSQL database that `--database` names, if it is given. */
export function readDatabase(given: string | undefined): { readonly database?: string } {
  if (given === undefined) return {};
  if (!/^postgres(?:ql)?:\/\/./.test(given) || !URL.canParse(given)) {
    throw new UsageError('--database must be an address such as postgres://ada@db.example.org/tracker.');
  }
  return { database: given };
}

/** The bucket that `--files` names, if it is given. */
export function readFiles(given: string | undefined): { readonly bucket?: BucketAddress } {
  return given === undefined ? {} : { bucket: readBucketAddress(given, process.env) };
}
