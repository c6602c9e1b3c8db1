/** Takes whatever is sent, drops it, and answers like a v3 server that has taken an attachment. Prints its address. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answer =
  '<?xml version="1.0" encoding="UTF-8"?>\n<attachment>\n  <id type="integer">1</id>\n  <status>Pending</status>\n</attachment>\n';

const server = createServer({ requestTimeout: 0 }, (request, response) => {
  request.on('end', () => response.writeHead(200, { 'Content-Type': 'application/xml' }).end(answer));
  request.resume();
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`"http://127.0.0.1:${port}"\n`);
});
