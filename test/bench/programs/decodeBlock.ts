/** `decodeBlock FILE`: the longest times in milliseconds that reading it keeps the event loop from its next turn. */
import { readFileSync } from 'node:fs';
import { iterationList } from '../../../src/client/http/answers.ts';
import { chunksOf } from '../support/chunks.ts';
import { HostHolds } from '../support/hostHolds.ts';

async function main(path: string): Promise<void> {
  const bytes = readFileSync(path);
  const holds = new HostHolds();
  const longest = await holds.during(() => iterationList(chunksOf(bytes)));
  holds.stop();
  process.stdout.write(`${JSON.stringify(longest)}\n`);
}

void main(process.argv[2] ?? '');
