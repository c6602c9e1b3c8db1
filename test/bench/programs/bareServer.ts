/** `bareServer FILE`: answers every request with the file, with nothing between the socket and the bytes. Prints its address. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = readFileSync(process.argv[2] ?? '');

const server = createServer((request, response) => {
  request.resume();
  response
    .writeHead(200, { 'Content-Type': 'application/xml; charset=utf-8', 'Content-Length': body.length })
    .end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`"http://127.0.0.1:${port}/"\n`);
});
