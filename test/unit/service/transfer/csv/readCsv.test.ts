import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCsv } from '../../../../../src/service/transfer/csv/readCsv.ts';
import type { ImportedStory } from '../../../../../src/service/transfer/import/importedStory.ts';
import { Remarks } from '../../../../../src/service/transfer/import/remarks.ts';

describe('the CSV export of the closed service', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-csv-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function read(text: string | Uint8Array) {
    const path = join(folder, 'table.csv');
    await writeFile(path, text);
    const remarks = new Remarks();
    const stories: ImportedStory[] = [];
    for await (const story of readCsv({ path, remarks, onBytes: () => undefined })) stories.push(story);
    const remarked = remarks.kept.map(({ row, id, column, value }) => `${row} ${id} ${column} ${value}`);
    return { stories, remarked };
  }

  const text = [
    'Id,Title,Labels,Iteration,Type,Estimate,Current State,Created at,Accepted at,Requested By,Owned By,Description,URL,Comment,Comment,Task,Task Status,Task,Task Status',
    '7,"Say ""hi"", please","a, b",3,feature,2,accepted,"Jan 5, 2017","Jan 9, 2017",Ada,Grace,"one\ntwo",https://example.org/7,"first (Grace - Jan 6, 2017)","second',
    'line (Ada - Jan 7, 2017)",Cut,completed,Sew,not completed',
    '8,Ice,,,bug,,unscheduled,"Jan 5, 2017",,Ada,,,,,,,,,',
  ];

  it('is read in UTF-8 and UTF-16, and refused in encodings that would lose characters', async () => {
    const table = 'Id,Title\n7,Café 猫\n';
    const named = async (bytes: Uint8Array) => (await read(bytes)).stories.map(({ name }) => name);
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(table, 'utf16le')]);
    const long = Buffer.from(`Id,Title\n7,${'é猫'.repeat(60_000)}\n`);
    assert.deepEqual(await named(Buffer.from(`\uFEFF${table}`)), ['Café 猫']);
    assert.deepEqual(await named(utf16), ['Café 猫']);
    assert.deepEqual(await named(long), ['é猫'.repeat(60_000)]);
    await assert.rejects(named(Buffer.from('Id,Title\n7,Café\n', 'latin1')), /not in UTF-8\. Save it as "CSV UTF-8"/);
    await assert.rejects(named(Buffer.from(table).subarray(0, -2)), /not in UTF-8/);
  });

  it('is read with the separator that its first line names', async () => {
    for (const separator of [';', ',', '\t', '|']) {
      for (const first of [`sep=${separator}`, `\uFEFF"sep=${separator}"`, `SEP=${separator}  `]) {
        const rows = [['Id', 'Title', 'Estimate'].join(separator), ['7', 'a.b', 'x'].join(separator)];
        const { stories, remarked } = await read([first, ...rows].join('\r\n'));
        assert.deepEqual([stories.length, stories[0]?.name, remarked], [1, 'a.b', ['3 7 Estimate x']]);
      }
    }
  });

  it('has every column in its place', async () => {
    const { stories, remarked } = await read(text.join('\n'));
    assert.deepEqual(remarked, []);
    const [first, second] = stories;
    assert.deepEqual(first, {
      row: 2,
      externalId: '7',
      name: 'Say "hi", please',
      type: 'feature',
      state: 'accepted',
      estimate: 2,
      description: 'one\ntwo',
      requestedBy: 'Ada',
      ownedBy: 'Grace',
      createdAt: Date.UTC(2017, 0, 5),
      acceptedAt: Date.UTC(2017, 0, 9),
      labels: ['a', 'b'],
      notes: [
        { text: 'first', author: 'Grace', notedAt: Date.UTC(2017, 0, 6) },
        { text: 'second\nline', author: 'Ada', notedAt: Date.UTC(2017, 0, 7) },
      ],
      tasks: [
        { description: 'Cut', complete: true },
        { description: 'Sew', complete: false },
      ],
      attachments: [],
    });
    assert.deepEqual(
      [second?.estimate, second?.ownedBy, second?.description, second?.labels, second?.acceptedAt],
      [null, null, null, [], undefined],
    );
  });

  it('reads the same with a byte order mark, other line ends and other separators', async () => {
    const { stories } = await read(text.join('\n'));
    const same = [
      `\uFEFF${text.join('\n')}`,
      `${text.join('\n').replaceAll('\n', '\r\n').replace('one\r\ntwo', 'one\ntwo').replace('second\r\nline', 'second\nline')}\r\n\r\n`,
    ];
    for (const each of same) assert.deepEqual((await read(each)).stories, stories);
    for (const ends of [
      ['\r', '\r'],
      ['\n', '\r\n'],
      ['\r\n', '\n'],
    ]) {
      const { stories: found } = await read(`Id,Title${ends[0]}7,One${ends[1]}8,"a\nb\rc"${ends[0]}`);
      assert.deepEqual(
        found.map(({ externalId, name }) => `${externalId} ${name}`),
        ['7 One', '8 a\nb\rc'],
      );
    }
    const semicolons = (await read('Id;Title;Estimate\n1;One, two;3\n')).stories;
    assert.deepEqual([semicolons[0]?.name, semicolons[0]?.estimate], ['One, two', 3]);
  });

  it('does not depend on the order of the columns, and takes what there is', async () => {
    const { stories } = await read('current state,TASK STATUS,title,Task,Id\nstarted,completed,One,T,1\n');
    const [story] = stories;
    assert.deepEqual(
      [story?.name, story?.state, story?.tasks],
      ['One', 'started', [{ description: 'T', complete: true }]],
    );
    assert.equal(story && 'estimate' in story, false);
  });

  it('tells what it did not understand, and where', async () => {
    const { stories, remarked } = await read(
      [
        'Id,Title,Estimate,Created at,Owned By,Owned By,Comment,Task,Task Status,Blocker,Priority',
        '1,One,many,5.1.2017,Ada,Bob,no author,T,half,stuck,p1 - High',
        ',No id,,,,,,,,,',
        '2,Two,1.5,,,,,,,,none,surplus',
      ].join('\n'),
    );
    assert.deepEqual(remarked, [
      '2 1 Blocker stuck',
      '2 1 Priority p1 - High',
      '2 1 Estimate many',
      '2 1 Owned By Bob',
      '2 1 Created at 5.1.2017',
      '2 1 Comment no author',
      '2 1 Task Status half',
      '3  Id ',
      '4 2  surplus',
      '4 2 Estimate 1.5',
    ]);
    assert.deepEqual(
      stories.map(({ externalId }) => externalId),
      ['1', '2'],
    );
    assert.deepEqual(stories[0]?.notes, [{ text: 'no author', author: 'unknown' }]);
  });

  it('goes on in further rows that hold comments and tasks only', async () => {
    const { stories, remarked } = await read(
      [
        'Id,Title,Comment,Task,Task Status',
        "1,One,'=a (Ada - Jan 6, 2017),'-t,completed",
        '1,,b (Ada - Jan 7, 2017),u,',
        '2,Two,,,',
        '1,,lost,,',
        '3,,,,',
      ]
        .join('\n')
        .replaceAll('Jan 6, 2017', '2017/01/06')
        .replaceAll('Jan 7, 2017', '2017/01/07'),
    );
    assert.deepEqual(
      stories.map(({ name, notes, tasks }) => [
        name,
        notes.map(({ text }) => text),
        tasks.map((task) => task.description),
      ]),
      [
        ['One', ['=a', 'b'], ['-t', 'u']],
        ['Two', [], []],
        ['', [], []],
      ],
    );
    assert.deepEqual(remarked, ['5 1 Id 1']);
  });

  it('keeps nothing of a cell that is too long for what it is', async () => {
    const long = '1'.repeat(70_000);
    const { stories, remarked } = await read(`Id,Title,Estimate,Created at\n${long},One,,\n2,Two,${long},${long}\n`);
    assert.deepEqual(
      stories.map(({ externalId, estimate }) => [externalId, estimate]),
      [['2', null]],
    );
    assert.deepEqual(
      remarked.map((text) => text.replace(/1{200}…/g, '…')),
      ['2 … Id …', '3 2 Estimate …', '3 2 Created at …'],
    );
  });

  it('refuses rows of endless cells before they fill the memory, and those of endless text', async () => {
    await assert.rejects(
      read(`Id,Title\n1,${','.repeat(1_000_000)}\n`),
      /A row of this table has more than 100000 cells/,
    );
    await assert.rejects(read(`${'Task,'.repeat(200_000)}Id,Title\n`), /more than 100000 cells/);
    await assert.rejects(read(`Id,Title\n1,"${'a\n'.repeat(10_000_000)}`), /Row 2 of this table is larger than 16 MiB/);
  });

  const cpuTime = async (table: string, count: number): Promise<number> => {
    const before = process.cpuUsage();
    assert.equal((await read(table)).stories.length, count);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };

  it('takes no longer for a long first row than for another one', async function () {
    this.timeout(20_000);
    const long = '%D9%A3'.repeat(500_000);
    const ratios: number[] = [];
    for (let tries = 0; tries < 3; tries++)
      ratios.push((await cpuTime(`Id,Title,${long}\n7,a\n`, 1)) / (await cpuTime(`Id,Title\n7,a,${long}\n`, 1)));
    assert.ok(Math.min(...ratios) < 3, `${ratios} times as long`);
  });

  it('takes time that grows with the length of the file only, however wide its first row is', async function () {
    this.timeout(20_000);
    const table = (size: number) =>
      `Id,Title${',Task,Task Status,Comment,Odd'.repeat(size)}\n${'1,a\n'.repeat(size)}${'1,,b\n'.repeat(size)}`;
    const cost = (size: number): Promise<number> => cpuTime(table(size), size);
    await cost(1_000);
    const ratios: number[] = [];
    for (let tries = 0; tries < 2; tries++) ratios.push((await cost(8_000)) / (await cost(2_000)));
    assert.ok(Math.min(...ratios) < 10, `four times as much takes ${ratios} times as long`);
  });

  it('refuses what is no such table', async () => {
    await assert.rejects(read(''), /The file is empty/);
    await assert.rejects(read('Name,Points\nOne,2\n'), /must name the columns, among them Id and Title/);
    await assert.rejects(read('Id,Title\n1,"never closed\n'), /ends within quotes, which begin in row 2\. Close them/);
  });
});
