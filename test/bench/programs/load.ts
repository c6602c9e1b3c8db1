/**
 * `load ADDRESS TOKEN`: asks again and again over a few kept connections for a second and prints the answers a second, and
 * how many there were in all. Reads only as
 * much HTTP as it needs, so that the server is what is measured.
 */
import { connect, type Socket } from 'node:net';

const CONNECTIONS = 8;
const WARM_UP = 300;
const MILLISECONDS = 1_200;
const MOST_ANSWERS = 200_000;

const [address = '', token = ''] = process.argv.slice(2);
const { hostname, port, host, pathname, search } = new URL(address);
const question = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nX-ServiceToken: ${token}\r\nAccept: application/xml\r\n\r\n`;

let answers = 0;
const sockets: Socket[] = [];

/** Every answer has the length of the first one on its connection. */
function ask(socket: Socket): void {
  let length = 0;
  let received = 0;
  socket.on('data', (chunk) => {
    if (length === 0) length = answerLength(chunk);
    received += chunk.length;
    if (received < length) return;
    if (received > length) throw new Error('An answer was longer than the one before.');
    received = 0;
    answers += 1;
    if (answers < MOST_ANSWERS) socket.write(question);
  });
  socket.write(question);
}

function answerLength(first: Buffer): number {
  const head = first.toString('latin1', 0, first.indexOf('\r\n\r\n'));
  const body = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200 ') || body === undefined) throw new Error(`The server said ${head}`);
  return head.length + 4 + Number(body);
}

for (let index = 0; index < CONNECTIONS; index += 1) {
  const socket = connect(Number(port), hostname, () => ask(socket));
  socket.setNoDelay(true);
  sockets.push(socket);
}

setTimeout(() => {
  const before = answers;
  const begun = performance.now();
  setTimeout(() => {
    const rate = ((answers - before) * 1000) / (performance.now() - begun);
    process.stdout.write(`${JSON.stringify({ rate, answers })}\n`);
    for (const socket of sockets) socket.destroy();
  }, MILLISECONDS);
}, WARM_UP);
