/**
 * `changeLoad TOKEN URL…`: edits stories again and again for two seconds, one connection for each address of a story, and prints the
 * changes a second and how long half and all but a hundredth of them took at most. Reads only as much HTTP as it needs.
 */
import { connect, type Socket } from 'node:net';
import { quantile } from '../support/statistics.ts';

const WARM_UP = 500;
const MILLISECONDS = 2_000;

const [token = '', ...addresses] = process.argv.slice(2);

let edits = 0;
let taken: number[] = [];
const sockets: Socket[] = [];

function question({ host, pathname }: URL): string {
  edits += 1;
  const body = `<story><name>Name ${edits}</name></story>`;
  const head = `PUT ${pathname} HTTP/1.1\r\nHost: ${host}\r\nX-ServiceToken: ${token}\r\nContent-Type: application/xml`;
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function edit(socket: Socket, address: URL): void {
  let begun = performance.now();
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
    if (answer.length < answerLength(answer)) return;
    answer = '';
    taken.push(performance.now() - begun);
    begun = performance.now();
    socket.write(question(address));
  });
  socket.write(question(address));
}

function answerLength(answer: string): number {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return Number.POSITIVE_INFINITY;
  const body = /^content-length: *(\d+)/im.exec(answer.slice(0, end))?.[1];
  if (!answer.startsWith('HTTP/1.1 200 ') || body === undefined) throw new Error(`The service said ${answer}`);
  return end + 4 + Number(body);
}

for (const each of addresses) {
  const address = new URL(each);
  const socket = connect(Number(address.port), address.hostname, () => edit(socket, address));
  socket.setNoDelay(true);
  sockets.push(socket);
}

setTimeout(() => {
  taken = [];
  const begun = performance.now();
  setTimeout(() => {
    const rate = (taken.length * 1000) / (performance.now() - begun);
    process.stdout.write(`${JSON.stringify({ rate, p50: quantile(taken, 0.5), p99: quantile(taken, 0.99) })}\n`);
    for (const socket of sockets) socket.destroy();
  }, MILLISECONDS);
}, WARM_UP);
