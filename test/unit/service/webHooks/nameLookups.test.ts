import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { type FindAddresses, HostsFile, NameLookups } from '../../../../src/service/webHooks/nameLookups.ts';

const address = { address: '8.8.8.8', family: 4 };
const nobody: FindAddresses = async () => [];

describe('lookups of names', () => {
  let asked: { name: string; answer: (addresses: readonly LookupAddress[]) => void; fail: (error: Error) => void }[];

  beforeEach(() => {
    asked = [];
  });

  const ask: FindAddresses = (name) => new Promise((answer, fail) => asked.push({ name, answer, fail }));
  const names = () => asked.map(({ name }) => name);

  it('hold each other up nowhere, however many names get no answer', async () => {
    const lookups = new NameLookups({ hosts: nobody, dns: ask, system: assert.fail });
    const answers = Array.from({ length: 100 }, (_, index) => lookups.addressesOf(`n${index}`));
    await turn();
    assert.equal(asked.length, 100);
    asked[99]?.answer([address]);
    assert.deepEqual(await answers[99], [address]);
  });

  it('ask the system only for what neither this machine nor a name server knows', async () => {
    const lookups = new NameLookups({
      hosts: async (name) => (name === 'here' ? [{ address: '10.0.0.1', family: 4 }] : []),
      dns: async (name) => {
        if (name === 'silent.test') throw Object.assign(new Error('queryA'), { code: 'ETIMEOUT' });
        return name === 'there' ? [address] : [];
      },
      system: async (name) => (name === 'local' ? [{ address: '10.0.0.2', family: 4 }] : assert.fail(name)),
    });
    const found = async (name: string) => (await lookups.addressesOf(name)).map((one) => one.address);
    assert.deepEqual(await Promise.all(['here', 'there', 'local'].map(found)), [
      ['10.0.0.1'],
      ['8.8.8.8'],
      ['10.0.0.2'],
    ]);
    await assert.rejects(found('silent.test'), { code: 'ETIMEOUT' });
  });

  it('ask the system, too, for names of a local network that name servers will not be asked for', async () => {
    const refuses = async () => {
      throw Object.assign(new Error('queryA'), { code: 'ESERVFAIL' });
    };
    const lookups = new NameLookups({ hosts: nobody, dns: refuses, system: async () => [address] });
    for (const name of ['jenkins', 'jenkins.', 'nas.local', 'NAS.local.']) {
      assert.deepEqual(await lookups.addressesOf(name), [address], name);
    }
    for (const name of ['example.org', 'local.example.org', 'x.notlocal']) {
      await assert.rejects(lookups.addressesOf(name), { code: 'ESERVFAIL' }, name);
    }
  });

  it('are two of the system at a time, whether they go well or not', async () => {
    const lookups = new NameLookups({ hosts: nobody, dns: nobody, system: ask });
    const answers = ['a', 'b', 'c', 'd'].map((name) => lookups.addressesOf(name));
    await turn();
    assert.deepEqual(names(), ['a', 'b']);
    asked[1]?.fail(new Error('Nobody knows b.'));
    await assert.rejects(answers[1] ?? assert.fail(), /knows b/);
    await turn();
    assert.deepEqual(names(), ['a', 'b', 'c']);
    asked[0]?.answer([address]);
    await answers[0];
    await turn();
    assert.deepEqual(names(), ['a', 'b', 'c', 'd']);
    asked[2]?.answer([]);
    asked[3]?.answer([address]);
    assert.deepEqual(await Promise.all([answers[0], answers[2], answers[3]]), [[address], [], [address]]);
  });

  it('are shared by those who ask for the same name, and made anew afterwards', async () => {
    const lookups = new NameLookups({ hosts: nobody, dns: ask });
    const [first, second] = [lookups.addressesOf('a'), lookups.addressesOf('a')];
    await turn();
    assert.deepEqual(names(), ['a']);
    asked[0]?.answer([address]);
    assert.deepEqual(await Promise.all([first, second]), [[address], [address]]);
    void lookups.addressesOf('a');
    await turn();
    assert.deepEqual(names(), ['a', 'a']);
  });
});

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
