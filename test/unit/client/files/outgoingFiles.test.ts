import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { LocalOutgoingFiles } from '../../../../src/client/files/outgoingFiles.ts';
import { openContents, openUploadBody } from '../../../../src/client/http/uploadBody.ts';
import { isCancelled } from '../../../../src/core/errors.ts';

const MIB = 1024 * 1024;
const KEY = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw'}\n`;

describe('outgoing files', () => {
  const outgoing = new LocalOutgoingFiles();
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outgoing-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function file(name: string, content: string | Uint8Array = name): Promise<string> {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  async function secrets(name: string, content: string | Uint8Array) {
    const path = await file(name, content);
    const found = await outgoing.secretsIn({ kind: 'file', path, filename: name });
    return found.map(({ kind, line }) => (line === undefined ? kind : `${kind} ${line}`));
  }

  describe('below a folder', () => {
    it('are all files, by name, but what can be had again', async () => {
      for (const name of ['b.txt', 'a/c.txt', 'a/.hidden', '.git/config', 'a/node_modules/x/y.js', 'a/.GIT/config'])
        await file(name);
      await mkdir(join(folder, 'empty'));
      const { files, leftOut, isCut } = await outgoing.filesBelow(folder);
      assert.deepEqual(
        files.map(({ name, size }) => [name, size]),
        [
          ['a/.hidden', 9],
          ['a/c.txt', 7],
          ['b.txt', 5],
        ],
      );
      assert.deepEqual([leftOut.toSorted(), isCut], [['.git', 'a/.GIT', 'a/node_modules'], false]);
      assert.equal(await readFile(files[1]?.path ?? '', 'utf8'), 'a/c.txt');
    });

    it('are none that a link leads to out of the folder, and no ring is walked', async () => {
      await mkdir(join(folder, 'top'));
      const outside = await file('outside.txt', 'secret');
      await mkdir(join(folder, 'top-secret'));
      await file('top-secret/beside.txt');
      await file('top/a/real.txt');
      await file('top/.git/config');
      const links = {
        'a/ring': '..',
        'a/parent.txt': '../../outside.txt',
        above: folder,
        absolute: outside,
        beside: '../top-secret/beside.txt',
        chained: 'absolute',
        config: '.git/config',
        dangling: 'nowhere',
        device: '/dev/zero',
        elsewhere: '/etc',
        itself: 'itself',
        'link.txt': 'a/real.txt',
        passwd: '/etc/passwd',
        pipe2: 'pipe',
        within: 'a',
      };
      for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, 'top', name));
      spawnSync('mkfifo', [join(folder, 'top/pipe')]);
      const found = await outgoing.filesBelow(join(folder, 'top'));
      assert.deepEqual(
        found.files.map(({ name }) => name),
        ['a/real.txt', 'link.txt'],
      );
      assert.equal(await readFile(found.files[1]?.path ?? '', 'utf8'), 'top/a/real.txt');
      assert.deepEqual(found.leftOut.toSorted(), ['.git', 'pipe']);
      assert.deepEqual(
        found.links.toSorted(),
        Object.keys(links)
          .filter((name) => name !== 'link.txt')
          .toSorted(),
      );
    });

    it('are those of the folder that a link to it leads to', async () => {
      await file('real/a.txt');
      await symlink('real', join(folder, 'chosen'));
      const found = await outgoing.filesBelow(join(folder, 'chosen'));
      assert.deepEqual([found.folder, found.files.map(({ name }) => name)], [join(folder, 'real'), ['a.txt']]);
    });

    it('are cut where names that are not taken are too many', async () => {
      for (const name of ['1', '2', '3', '4']) await symlink('/etc', join(folder, name));
      assert.equal((await new LocalOutgoingFiles(3).filesBelow(folder)).isCut, true);
    });

    it('are cut where there are too many', async () => {
      for (const name of ['1', '2', '3', '4']) await file(name);
      const { files, isCut } = await new LocalOutgoingFiles(3).filesBelow(folder);
      assert.deepEqual([files.length, isCut], [3, true]);
    });

    it('cannot be told when the folder is gone or someone cancels', async () => {
      await assert.rejects(outgoing.filesBelow(join(folder, 'gone')), /Could not read the folder "gone" \(ENOENT\)/);
      await file('a');
      const signal = AbortSignal.abort();
      await assert.rejects(outgoing.filesBelow(folder, { signal }), (error) => isCancelled(error));
    });
  });

  describe('packed', () => {
    it('come out of the archive as they went in', async () => {
      const contents: Readonly<Record<string, Buffer>> = {
        'text.txt': Buffer.from('many words '.repeat(200_000)),
        'deep/er/ünï 🚀.bin': randomBytes(3 * MIB),
        'already.png': randomBytes(2 * MIB + 17),
        empty: Buffer.alloc(0),
      };
      const entries = [];
      for (const [filename, bytes] of Object.entries(contents)) {
        const path = await file(filename, bytes);
        entries.push({ source: { kind: 'file', path, filename } as const, size: bytes.length });
      }
      const memory = Buffer.from('never on disk');
      entries.push({ source: { kind: 'bytes', bytes: memory, filename: 'memory.txt' } as const, size: 13 });
      const told: number[] = [];
      const made = await outgoing.zip(entries, { onProgress: (done) => told.push(done) });
      const zip = await readFile(made.path);
      assert.equal(zip.length, made.size);
      assert.ok(zip.length < 6 * MIB, `${zip.length}`);
      const unpacked = unzipSync(zip);
      assert.deepEqual(Object.keys(unpacked).sort(), [...Object.keys(contents), 'memory.txt'].sort());
      for (const [name, bytes] of Object.entries(contents)) assert.ok(bytes.equals(unpacked[name] ?? memory), name);
      assert.equal(
        told.at(-1),
        entries.reduce((sum, { size }) => sum + size, 0),
      );
      const other = spawnSync('python3', ['-m', 'zipfile', '-t', made.path], { encoding: 'utf8' });
      if (other.error === undefined) assert.match(other.stdout, /Done testing/);
      await outgoing.discard(made.path);
      assert.equal(existsSync(dirname(made.path)), false);
    });

    it('have names in the archive that lead nowhere else', async () => {
      const names = ['c:/d/a.txt', '/etc/b', 'src/../../c', 'src\\..\\..\\d', './e', 'f..g/.h'];
      const bytes = Buffer.from('x');
      const made = await outgoing.zip(
        names.map((filename) => ({ source: { kind: 'bytes', bytes, filename } as const, size: 1 })),
      );
      const unpacked = Object.keys(unzipSync(await readFile(made.path)));
      assert.deepEqual(unpacked, ['c_/d/a.txt', 'etc/b', 'src/c', 'src_.._.._d', 'e', 'f..g/.h']);
      await outgoing.discard(made.path);
    });

    it('need no more memory for large files', async () => {
      const path = await file('sparse', '');
      await truncate(path, 96 * MIB);
      const before = process.memoryUsage.rss();
      let highest = 0;
      const onProgress = () => {
        highest = Math.max(highest, process.memoryUsage.rss());
      };
      const source = { kind: 'file', path, filename: 'sparse' } as const;
      const made = await outgoing.zip([{ source, size: 96 * MIB }], { onProgress });
      assert.ok(made.size < MIB);
      assert.ok(highest - before < 96 * MIB, `${Math.round((highest - before) / MIB)} MiB`);
      await outgoing.discard(made.path);
    });

    it('leave nothing behind when one is gone, there is too much, or someone cancels', async () => {
      const path = await file('a', randomBytes(4 * MIB));
      const entry = (at: string, size = 1) => ({ source: { kind: 'file', path: at, filename: 'a' } as const, size });
      await assert.rejects(outgoing.zip([entry(path), entry(join(folder, 'gone'))]), /no longer exists/);
      await assert.rejects(outgoing.zip([entry(path, 5e9)]), /Too large for one \.zip/);
      const stop = new AbortController();
      const zipping = outgoing.zip([entry(path)], { signal: stop.signal, onProgress: () => stop.abort() });
      await assert.rejects(zipping, (error) => isCancelled(error));
    });
  });

  describe('that a link takes the place of after they were found', () => {
    async function found() {
      await file('top/a/one.txt', 'one');
      await file('outside/one.txt', 'secret');
      const { folder: within, files } = await outgoing.filesBelow(join(folder, 'top'));
      const [first] = files;
      assert.ok(first);
      return { kind: 'file', path: first.path, filename: first.name, within } as const;
    }
    const swaps: Readonly<Record<string, () => Promise<void>>> = {
      'the file': async () => {
        await rm(join(folder, 'top/a/one.txt'));
        await symlink('../../outside/one.txt', join(folder, 'top/a/one.txt'));
      },
      'a folder on the way': async () => {
        await rm(join(folder, 'top/a'), { recursive: true });
        await symlink('../outside', join(folder, 'top/a'));
      },
    };
    for (const [what, swap] of Object.entries(swaps)) {
      it(`are not read: ${what}`, async () => {
        const source = await found();
        await swap();
        const refusal = { kind: 'input', message: /"a\/one.txt" links to a place outside the folder "top"/ };
        await assert.rejects(outgoing.zip([{ source, size: 3 }]), refusal);
        await assert.rejects(openUploadBody(source), refusal);
        assert.deepEqual(await outgoing.secretsIn(source), []);
      });
    }

    it('are not read, however quickly links come and go', async () => {
      const source = await found();
      const [link, away] = [join(folder, 'top/a'), join(folder, 'top/b')];
      const exchange = `
        const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
        for (;;) {
          renameSync(${JSON.stringify(link)}, ${JSON.stringify(away)});
          symlinkSync('../outside', ${JSON.stringify(link)});
          unlinkSync(${JSON.stringify(link)});
          renameSync(${JSON.stringify(away)}, ${JSON.stringify(link)});
        }`;
      const other = spawn(process.execPath, ['-e', exchange], { stdio: 'ignore' });
      const seen = new Set<string>();
      try {
        await once(other, 'spawn');
        for (let tries = 0; tries < 1_500; tries++) {
          const contents = await openContents(source).catch((error: unknown) => error);
          if (contents instanceof Error) {
            seen.add(
              /links to a place outside|no longer exists|Could not read/.exec(contents.message)?.[0] ??
                contents.message,
            );
            continue;
          }
          const opened = contents as Awaited<ReturnType<typeof openContents>>;
          for await (const piece of opened.pieces()) seen.add(Buffer.from(piece).toString());
          await opened.close();
        }
      } finally {
        other.kill('SIGKILL');
        await once(other, 'exit');
      }
      assert.ok(seen.has('one') && !seen.has('secret'), [...seen].join('; '));
    });

    it('are not waited for: a pipe', async () => {
      const source = await found();
      await rm(source.path);
      spawnSync('mkfifo', [source.path]);
      await assert.rejects(openUploadBody(source), /is not a regular file/);
    });
  });

  it('are removed only when they were made here', async () => {
    const path = await file('precious.txt');
    await outgoing.discard(path);
    assert.equal(await readFile(path, 'utf8'), 'precious.txt');
  });

  describe('with secrets', () => {
    it('are known by name and by what is in them', async () => {
      assert.deepEqual(await secrets('.env', 'A=b'), ['secretFile']);
      assert.deepEqual(await secrets('.ssh/id_rsa', `\n${KEY}`), ['secretFile', 'privateKey 2']);
      assert.deepEqual(await secrets('notes.md', `# a\r\n\r\n${KEY}`), ['privateKey 3']);
      assert.deepEqual(await secrets('plain.txt', 'nothing of that kind'), []);
      assert.deepEqual(await secrets('empty.txt', ''), []);
    });

    it('are known by the name of what a link leads to', async () => {
      await file('.env', 'A=b');
      await symlink('.env', join(folder, 'notes.txt'));
      const found = await outgoing.secretsIn({ kind: 'file', path: join(folder, 'notes.txt'), filename: 'notes.txt' });
      assert.deepEqual(found, [{ kind: 'secretFile' }]);
    });

    it('are found in UTF-16 and across the pieces in which a file is read', async () => {
      assert.deepEqual(await secrets('windows.txt', Buffer.from(`\ufeff\n${KEY}`, 'utf16le')), ['privateKey 2']);
      const before = `${'x'.repeat(99)}\n`.repeat(5243).slice(0, 512 * 1024 - 10);
      const line = before.split('\n').length + 1;
      assert.deepEqual(await secrets('seam.txt', `${before}\n${KEY}`), [`privateKey ${line}`]);
    });

    it('are looked at in their first megabytes only', async () => {
      const path = await file('huge.bin', '');
      await truncate(path, 8 * 1024 * MIB);
      assert.deepEqual(await outgoing.secretsIn({ kind: 'file', path, filename: 'huge.bin' }), []);
      assert.deepEqual(await secrets('late.txt', `${'one of many lines\n'.repeat(300_000)}${KEY}`), []);
    });

    it('are none when they cannot be read', async () => {
      const source = { kind: 'file', path: join(folder, 'gone'), filename: 'gone' } as const;
      assert.deepEqual(await outgoing.secretsIn(source), []);
    });

    it('are found in bytes that are nowhere on disk', async () => {
      const source = { kind: 'bytes', bytes: Buffer.from(KEY), filename: 'pasted' } as const;
      assert.deepEqual(await outgoing.secretsIn(source), [
        { kind: 'privateKey', line: 1, masked: '-----BEGIN PRIVATE KEY-----…' },
      ]);
    });
  });
}).timeout(90_000);
