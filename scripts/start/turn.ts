import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, taken } from '../vscode/lock.ts';

/** Either ours (`address` undefined), to be announced and ended; or another process's, with the address it serves. */
export interface Turn {
  readonly address: string | undefined;
  announce(address: string): Promise<void>;
  end(): Promise<void>;
}

/** Takes the folder `path` for this process, or learns where the living process that holds it can be reached. */
export async function claimTurn(path: string): Promise<Turn> {
  for (;;) {
    if (await taken(path)) return ourTurn(path);
    const holder = Number(await readFile(join(path, 'pid'), 'utf8').catch(() => ''));
    const address = await readFile(join(path, 'address'), 'utf8').catch(() => undefined);
    if (holder > 0 && !isAlive(holder)) await rm(path, { recursive: true, force: true });
    else if (address !== undefined) return { ...ourTurn(path), address, end: async () => undefined };
    else await sleep(300);
  }
}

function ourTurn(path: string): Turn {
  return {
    address: undefined,
    announce: (address) => writeFile(join(path, 'address'), address),
    end: () => rm(path, { recursive: true, force: true }),
  };
}
