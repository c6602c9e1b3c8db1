import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostsFile } from '../../../../src/service/webHooks/hostsFile.ts';

describe('the hosts file of a machine', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hosts-'));
    path = join(folder, 'hosts');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function assertFound(expected: Readonly<Record<string, readonly string[]>>, hosts: HostsFile): Promise<void> {
    for (const [name, addresses] of Object.entries(expected)) {
      assert.deepEqual(
        (await hosts.addressesOf(name)).map(({ address }) => address),
        addresses,
        name,
      );
    }
  }

  it('gives names their addresses, as it stands now', async () => {
    const hosts = new HostsFile(path);
    await writeFile(path, '# ours\n10.0.0.1\tHook.example.org hook # and\r\n\nfe80::1%lo0 hook\nnonsense x\n::2 two\n');
    await assertFound(
      { 'hook.example.org': ['10.0.0.1'], 'HOOK.example.org.': ['10.0.0.1'], two: ['::2'], x: [] },
      hosts,
    );
    await assertFound({ hook: ['10.0.0.1', 'fe80::1%lo0'], ours: [], and: [], '': [] }, hosts);
    await writeFile(path, '10.0.0.22 hook.example.org\n');
    await assertFound({ 'hook.example.org': ['10.0.0.22'], two: [] }, hosts);
  });

  it('is not needed for the names of this machine, which it may give other addresses', async () => {
    const hosts = new HostsFile(path);
    const loopback = ['127.0.0.1', '::1'];
    await assertFound({ localhost: loopback, 'any.localhost': loopback, 'localhost.example.org': [] }, hosts);
    await writeFile(path, '127.0.0.1 localhost\n');
    await assertFound({ localhost: ['127.0.0.1'], 'any.localhost': loopback }, hosts);
  });
});
