import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { ServiceEvent } from '../../../../src/service/ground/background.ts';
import { deliverMail } from '../../../../src/service/mail/sendMail.ts';

/** What a mail server says to a command, or to the end of the mail (`.`); `drop` cuts the connection. */
type Script = Readonly<Record<string, string>>;

const SENDER = { name: 'A', address: 'a@example.org' };

const USUAL: Script = { greeting: '220 x', DATA: '354 Go on', QUIT: '221 Bye' };

describe('handing a mail to a server', () => {
  let server: Server;
  const told: ServiceEvent[] = [];
  const tell = (event: ServiceEvent) => told.push(event);

  beforeEach(() => told.splice(0));

  afterEach(() => new Promise((resolve) => server.close(resolve)));

  async function listen(script: Script): Promise<number> {
    server = createServer((socket) => talk(socket, { ...USUAL, ...script })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port }: AddressInfo = Object(server.address());
    return port;
  }

  function talk(socket: Socket, script: Script): void {
    let isData = false;
    const say = (word: string): void => {
      const said = script[word] ?? '250 Well';
      if (said === 'drop') socket.destroy();
      else socket.write(`${said}\r\n`);
      isData = said.startsWith('354');
    };
    const lines = createInterface({ input: socket });
    for (const end of [socket, lines]) end.on('error', () => undefined);
    lines.on('line', (line) => {
      if (!isData) say(line.split(/[ :]/)[0]?.toUpperCase() ?? '');
      else if (line === '.') say('.');
    });
    say('greeting');
  }

  const send = (port: number, signal = new AbortController().signal) =>
    deliverMail(
      { settings: { server: { host: '127.0.0.1', port, tls: 'never' }, from: SENDER }, mailFolder: '', log: tell },
      { from: SENDER, to: 'b@example.org', subject: 'Buoys', text: 'They float.' },
      { told: { event: 'mail', delivery: 'd' }, name: 'd.eml' },
      signal,
    );

  const cases: readonly [claim: string, script: Script, isFinal: boolean, sentence: RegExp][] = [
    ['a recipient whom it does not know yet', { RCPT: '451 4.7.1 Greylisted' }, false, /Greylisted/],
    ['a recipient who is not there', { RCPT: '550 5.1.1 Nobody' }, true, /Nobody/],
    ['a full mailbox', { '.': '552 5.2.2 Full' }, true, /Full/],
    ['what it says the mail is', { '.': '554 5.7.1 Spam' }, true, /Spam/],
    ['a mail that it cannot take now', { '.': '452 4.3.1 Disk' }, false, /Disk/],
    ['a connection that it cuts after the mail', { '.': 'drop' }, false, /closed/i],
    ['a connection that it cuts at once', { greeting: 'drop' }, false, /closed|ECONNRESET/i],
    ['a sender who has to sign in', { MAIL: '530 5.7.0 Sign in' }, false, /Sign in/],
    ['a recipient for whom one has to sign in', { RCPT: '530 5.7.0 Sign in' }, false, /Sign in/],
    ['an address from which this service may not send', { MAIL: '550 5.7.60 Not as them' }, false, /Not as them/],
    ['all mail, for the time being', { greeting: '421 Busy' }, false, /Busy/],
  ];
  for (const [claim, script, isFinal, sentence] of cases) {
    it(`${isFinal ? 'is given up for' : 'is to be tried again after'} ${claim}`, async () => {
      const port = await listen(script);
      await assert.rejects(send(port), (error: Error) => {
        assert.equal(error.name, 'UnsentMail', error.message);
        assert.deepEqual([Object(error).isFinal, sentence.test(error.message)], [isFinal, true], error.message);
        return true;
      });
    });
  }

  it('is done when the server says so, and broken off when it is told to be', async () => {
    await send(await listen({}));
    assert.deepEqual(told, [{ event: 'mail', delivery: 'd' }]);
    server.close();
    const port = await listen({ '.': '' });
    const breaking = new AbortController();
    const sending = send(port, breaking.signal);
    server.once('connection', () => breaking.abort());
    await assert.rejects(sending, /took too long/);
    assert.equal(told.length, 1);
  });
});
