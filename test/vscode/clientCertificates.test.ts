import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import * as vscode from 'vscode';
import { withCertificate } from '../../src/features/account/askText.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { PrivateAuthority } from '../support/servers/privateAuthority.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const PASSPHRASE = 'hidden-61f';

describe('A client certificate of the settings', () => {
  const { createInputBox } = vscode.window;
  const engines: Engine[] = [];
  let authority: PrivateAuthority;
  let server: Server;
  let baseUrl: string;
  let secrets: MemorySecrets;

  before(async () => {
    authority = new PrivateAuthority();
    const { pfx } = authority.client('Ada', PASSPHRASE);
    const options = { requestCert: true, rejectUnauthorized: false, ca: authority.read(authority.file) };
    server = createServer({ ...authority.identity(['localhost']), ...options }, ({ socket }, response) => {
      const isAda = socket instanceof TLSSocket && socket.authorized;
      response.writeHead(isAda ? 200 : 403).end('<projects type="array"/>');
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo;
    baseUrl = `https://localhost:${port}/tracker`;
    await set('extraCertificates', [authority.file]);
    await set('clientCertificates', { [`localhost:${port}`]: { pfx }, 'localhost:1': { cert: '/nowhere' } });
  });
  beforeEach(() => {
    secrets = new MemorySecrets();
  });
  afterEach(async () => {
    Object.assign(vscode.window, { createInputBox });
    for (const engine of engines.splice(0)) await engine.dispose();
  });
  after(async () => {
    await set('extraCertificates', undefined);
    await set('clientCertificates', undefined);
    server.closeAllConnections();
    server.close();
    authority.remove();
  });

  async function set(name: string, value: unknown): Promise<void> {
    await vscode.workspace.getConfiguration('storyTracker').update(name, value, vscode.ConfigurationTarget.Global);
  }

  function startEngine(): Engine {
    const engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog, undefined, secrets);
    engines.push(engine);
    return engine;
  }

  const listed = (engine: Engine) => engine.trial({ baseUrl, token: 'x' }, (tracker) => tracker.listProjects());

  /** Types these one after the other into the box, which is closed when they are used up; gives what was shown below it. */
  function typing(...texts: readonly string[]): string[] {
    const shown: string[] = [];
    const waiting = [...texts];
    Object.assign(vscode.window, {
      createInputBox: () => {
        const box = createInputBox.call(vscode.window);
        const accepted = new vscode.EventEmitter<void>();
        const hidden = new vscode.EventEmitter<void>();
        const next = () => {
          const text = waiting.shift();
          fake.value = text ?? '';
          if (text === undefined) hidden.fire();
          else accepted.fire();
        };
        const fake = {
          ...{ value: '', busy: false, password: false, onDidTriggerButton: box.onDidTriggerButton },
          ...{ onDidAccept: accepted.event, onDidHide: hidden.event, onDidChangeValue: box.onDidChangeValue },
          set validationMessage(text: string) {
            if (text === '') return;
            shown.push(text);
            setImmediate(next);
          },
          show: () => setImmediate(next),
          dispose: () => {
            assert.ok(fake.password);
            for (const one of [accepted, hidden, box]) one.dispose();
          },
        };
        return fake;
      },
    });
    return shown;
  }

  it('opens with its passphrase, which is asked for once and kept among the secrets', async () => {
    const engine = startEngine();
    await assert.rejects(listed(engine), /protected by a passphrase\. Run "Story Tracker: Check Connection…"/);
    const shown = typing('wrong', PASSPHRASE);
    assert.equal(await withCertificate({ engine }, baseUrl), true);
    assert.deepEqual(shown, ['This passphrase does not open the certificate.']);
    assert.deepEqual(await listed(engine), []);
    assert.deepEqual(await secrets.keys(), [`storyTracker.passphrase.${new URL(baseUrl).origin}`]);
    const later = startEngine();
    const again = typing();
    assert.equal(await withCertificate({ engine: later }, baseUrl), true);
    assert.deepEqual([await listed(later), again], [[], []]);
  });

  it('stays closed for who turns away', async () => {
    const engine = startEngine();
    typing();
    assert.equal(await withCertificate({ engine }, baseUrl), undefined);
    assert.deepEqual(await secrets.keys(), []);
  });

  it('is nothing to ask about on the way to other servers', async () => {
    assert.equal(await withCertificate({ engine: startEngine() }, 'https://localhost:2'), true);
    await assert.rejects(
      withCertificate({ engine: startEngine() }, 'https://localhost:1'),
      /"https:\/\/localhost:1" of the setting storyTracker\.clientCertificates names "\/nowhere", which cannot be read/,
    );
  });

  it('is forgotten with its passphrase when it is no longer set', async () => {
    const engine = startEngine();
    await secrets.store('storyTracker.passphrase.https://former.test', 'x');
    typing(PASSPHRASE);
    assert.equal(await withCertificate({ engine }, baseUrl), true);
    assert.deepEqual(await secrets.keys(), [`storyTracker.passphrase.${new URL(baseUrl).origin}`]);
  });
});
