/** `npm run bench [name…]`: measures what ships and prints one table; what falls short of its goal is marked, nothing fails. */
import { activation } from './activation.ts';
import { commits } from './commits.ts';
import { completion } from './completion.ts';
import { decode } from './decode.ts';
import { dragging } from './dragging.ts';
import { moves } from './moves.ts';
import { paint } from './paint.ts';
import { quiet } from './quiet.ts';
import { reads } from './reads.ts';
import { refresh } from './refresh.ts';
import { scale } from './scale.ts';
import { size } from './size.ts';
import { start } from './start.ts';
import { story } from './story.ts';
import { type Bench, falls, type Row } from './support/bench.ts';
import { table } from './support/table.ts';
import { upload } from './upload.ts';
import { writers } from './writers.ts';

const benches: readonly Bench[] = [
  decode,
  paint,
  dragging,
  upload,
  moves,
  reads,
  writers,
  scale,
  refresh,
  commits,
  completion,
  size,
  activation,
  quiet,
  start,
  story,
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no bench "${unknown.join('", "')}"; there are ${benches.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(2);
}
process.once('SIGTERM', () => process.exit(143));
process.once('SIGINT', () => process.exit(130));

const rows: Row[] = [];
for (const bench of benches.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  process.stderr.write(`${bench.name} …\n`);
  const measured = await bench.run();
  // A long run that is stopped has told what it knew.
  process.stderr.write(`${table(measured)}\n`);
  rows.push(...measured);
}
const missed = rows.filter(falls).length;
process.stdout.write(`\n${table(rows)}\n\n${rows.length} rows, ${missed === 0 ? 'none' : missed} short of its goal.\n`);
process.exit(0);
