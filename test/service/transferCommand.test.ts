import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runService, serviceCommand, startCommand } from './support/serviceProcess.ts';
import { temporaryFolder } from './support/testService.ts';

describe('the commands import and export', function () {
  this.timeout(120_000);
  let folder: string;
  before(async () => {
    folder = await temporaryFolder();
    const added = await runService(['user', 'add', '--name', 'Ada', '--email', 'ada@example.org', '--data', folder]);
    assert.equal(added.code, 0, added.stderr);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function done(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runService([...args, '--data', folder]);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '', 'nothing but what was asked for where nobody looks');
    return stdout;
  }

  async function refused(sentence: RegExp, ...args: readonly string[]): Promise<void> {
    const { code, stdout, stderr } = await runService([...args, '--data', folder]);
    assert.notEqual(code, 0);
    assert.equal(stdout, '');
    assert.match(stderr, sentence);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }

  it('take a table in, tell what they did to people and programs, and give it out again', async () => {
    const path = join(folder, 'table.csv');
    await writeFile(
      path,
      'Id,Title,Type,Estimate,Current State,Owned By\r\n5,One,feature,3,unstarted,Bob\r\n6,Two,epic,,unstarted,\r\n',
    );
    const trial = JSON.parse(await done('import', path, '--name', 'Apollo', '--dry-run', '--json'));
    assert.deepEqual([trial.isTrial, trial.created, trial.leftOut, trial.remarkCount], [true, 1, 1, 1]);
    assert.equal(await done('project', 'list'), '');
    const told = await done('import', path, '--name', 'Apollo', '--owner', 'ada@example.org');
    assert.match(told, /^Imported into a new project \d+, Apollo: 1 new story, 1 left out\.$/m);
    assert.match(told, /no member named Bob \(1\)/);
    assert.match(told, /^ {2}row 3, story 6, Type "epic": .*left out\.$/m);
    const [{ id }] = JSON.parse(await done('project', 'list', '--json'));
    const csv = await done('export', '--project', String(id), '--format', 'csv');
    assert.match(csv, /^Id,Title,.*\r\n5,One,,.*,feature,3,unstarted,/);
    const file = join(folder, 'apollo.xml');
    assert.equal(
      await done('export', '--project', String(id), '--output', file, '--public-url', 'https://example.org/t/'),
      '',
    );
    assert.match(await readFile(file, 'utf8'), /<url>https:\/\/example\.org\/t\/story\/show\/5<\/url>/);
    assert.match(await done('import', file), /Imported into a new project/);
  });

  it('say nothing when who reads an export wants no more of it', async () => {
    const path = join(folder, 'long.csv');
    const rows = Array.from({ length: 20 }, (_, index) => `${500 + index},Long,${'x'.repeat(90_000)}`);
    await writeFile(path, ['Id,Title,Description', ...rows].join('\n'));
    const { project } = JSON.parse(await done('import', path, '--name', 'Long', '--json'));
    const child = await startCommand(['export', '--project', String(project.id), '--data', folder]);
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await once(child, 'close');
    assert.deepEqual([code, stderr], [1, '']);
  });

  it('take in files of endless texts within a small memory, or refuse them', async () => {
    const path = join(folder, 'endless');
    const within = async (...args: readonly string[]) =>
      runService(['import', path, '--name', 'Endless', '--dry-run', ...args, '--data', folder], undefined, {
        NODE_OPTIONS: '--max-old-space-size=160',
      });
    const rows = Array.from({ length: 190 }, (_, index) => `${index + 1},T,${'x'.repeat(900_000)}\n`);
    await writeFile(path, ['Id,Title,Description\n', ...rows]);
    const { code, stdout, stderr } = await within();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /190 new stories[\s\S]*It was cut after 100000 characters/);
    await writeFile(path, ['Id,Title\n1,"', ...Array.from({ length: 20 }, () => '\n'.repeat(1_000_000))]);
    assert.match(
      (await within()).stderr,
      /Row 2 of this table is larger than 16 MiB\. Is a quote not closed before it\?/,
    );
    const note = `<note><id>1</id><text>${'x'.repeat(1_000_000)}</text></note>`;
    await writeFile(path, ['<stories><story><id>1</id><notes>', ...Array.from({ length: 70 }, () => note)]);
    assert.match((await within()).stderr, /A story in this XML document is larger than 64 MiB/);
  });

  it('say what is wrong in a sentence', async () => {
    const path = join(folder, 'wrong.csv');
    await writeFile(path, 'Name\nOne\n');
    await Promise.all([
      refused(/Could not find the file .*nowhere/, 'import', join(folder, 'nowhere')),
      refused(/Missing FILE/, 'import'),
      refused(/Id and Title/, 'import', path, '--name', 'X'),
      refused(/either --project or --name/, 'import', path, '--name', 'X', '--project', '1'),
      refused(/No project has the ID 77/, 'export', '--project', '77'),
      refused(/--format must be xml or csv/, 'export', '--project', '1', '--format', 'pdf'),
    ]);
  });

  it('say what is in the way of a file and what to do about it', async () => {
    const path = join(folder, 'one.xml');
    const file = '<attachment><id>1</id><filename>a.txt</filename></attachment>';
    await writeFile(
      path,
      `<project><id>900</id><name>One</name><stories><story><id>900</id><name>A</name><attachments>${file}</attachments></story></stories></project>`,
    );
    const told = await done('import', path);
    assert.match(told, /^1 attachment came without its file, .* It is listed and cannot be opened\.$/m);
    const [, id = ''] = /project (\d+), One/.exec(told) ?? [];
    const refusedTo = (sentence: RegExp, ...args: readonly string[]) =>
      refused(sentence, 'export', '--project', id, ...args);
    await Promise.all([
      refusedTo(/is a folder\. Pass a file with --output/, '--output', folder),
      refusedTo(/The folder of .*no.one\.xml does not exist\. Create it/, '--output', join(folder, 'no', 'one.xml')),
      refusedTo(/one\.xml is not a folder/, '--output', join(folder, 'out.xml'), '--attachments', path),
      refusedTo(/one\.xml.x\.xml is not a folder, or is not in one/, '--output', join(path, 'x.xml')),
    ]);
    if (!existsSync('/dev/full')) return;
    const noSpace = /^No space is left for \/dev\/full\. Free some, or pass a place on another disk with --output\.\n$/;
    await refusedTo(noSpace, '--output', '/dev/full');
  });

  it('leave nothing half when they are killed, and can be given the same again', async () => {
    const path = join(folder, 'many.csv');
    const rows = Array.from(
      { length: 6_000 },
      (_, index) => `${10_000 + index},Story ${index},feature,1,unstarted,"A comment (Ada - Jan 5, 2026)"`,
    );
    await writeFile(path, ['Id,Title,Type,Estimate,Current State,Comment', ...rows].join('\n'));
    const args = ['import', path, '--name', 'Many', '--json', '--data', folder];
    const countAfter = async (): Promise<number> => {
      const projects: { id: number; name: string }[] = JSON.parse(await done('project', 'list', '--json'));
      const many = projects.find(({ name }) => name === 'Many');
      if (!many) return 0;
      const csv = await done('export', '--project', String(many.id), '--format', 'csv');
      return csv.split('\r\n').length - 2;
    };
    const begun = performance.now();
    await done(...args.slice(0, -2), '--dry-run');
    const duration = performance.now() - begun;
    let isOver = false;
    for (const part of [0.5, 0.7, 0.85]) {
      const child = await serviceCommand(args);
      const exited = once(child, 'exit');
      await Promise.race([sleep(part * duration), exited]);
      child.kill('SIGKILL');
      await exited;
      const count = await countAfter();
      assert.ok(count === 0 || count === 6_000, `${count} stories`);
      isOver ||= count > 0;
    }
    const report = JSON.parse(await done('import', path, '--name', 'Many', '--json'));
    assert.deepEqual([report.created, report.unchanged], isOver ? [0, 6_000] : [6_000, 0]);
    assert.equal(await countAfter(), 6_000);
  });
});
