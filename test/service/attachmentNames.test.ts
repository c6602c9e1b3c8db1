import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTracker, type HttpTracker } from '../../src/client/tracker/httpTracker.ts';
import { silentLog } from '../support/silentLog.ts';
import { newProject, newStory } from './support/project.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const names: readonly string[] = [
  'say "hi".txt',
  '"',
  'a";x="b.txt',
  'line\r\nX-Evil: 1\r\n\r\nbody.txt',
  'percent %22 %0d%0A %25 100%.txt',
  "x; filename*=utf-8''y.txt",
  'semi;colon=equals.txt',
  'na\u00efve.txt',
  'nai\u0308ve.txt',
  '\u30c6\u30b9\u30c8.txt',
  '\u{1f680}\u{1f469}\u200d\u{1f4bb}.png',
  '\u05e9\u05dc\u05d5\u05dd \u202eexe.txt',
  'line\u2028separator\u2029.txt',
  '.hidden',
  '..',
  '...',
  ' leading and trailing ',
  'tab\there.txt',
  '<b>&amp;<b>.html',
  '--boundary--.txt',
  'CON.txt',
  '\u00e9'.repeat(255),
  `${'a'.repeat(251)}.txt`,
];

describe('names of attachments, from our client to our service', () => {
  let service: TestService;
  let user: TestUser;
  let tracker: HttpTracker;
  let projectId: number;
  let storyId: number;

  before(async () => {
    service = await startTestService();
    user = await service.user('Ada Namer');
    projectId = await newProject(user);
    storyId = await newStory(user, projectId, 'Holds names');
    tracker = createTracker({ baseUrl: service.url, token: async () => user.token, log: silentLog });
  });
  after(async () => {
    await tracker.close();
    await service.stop();
  });

  /** What the story lists, and under which name the file comes back. */
  async function roundTrip(filename: string): Promise<readonly [string | undefined, string | undefined]> {
    const story = { projectId, storyId };
    const sent = await tracker.uploadAttachment(story, { kind: 'bytes', bytes: Buffer.from('x'), filename });
    const { filename: listed, url = '' } = await tracker.getAttachment(story, sent.id);
    const response = await fetch(new URL(url, service.url));
    assert.equal(await response.text(), 'x');
    const exact = /filename\*=UTF-8''(\S+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    return [listed, exact && decodeURIComponent(exact)];
  }

  for (const name of names) {
    it(`${JSON.stringify(name.length > 40 ? `${name.slice(0, 20)}… (${name.length})` : name)} arrives as it is`, async () => {
      assert.deepEqual(await roundTrip(name), [name, name]);
    });
  }

  const paths: Readonly<Record<string, string>> = {
    '../../etc/passwd': 'passwd',
    'C:\\Windows\\win.ini': 'win.ini',
    'folder/file.txt': 'file.txt',
    'mixed/of\\both.txt': 'both.txt',
    'ends with \\': 'ends with ',
    'back\\slash"quoted".txt': 'slash"quoted".txt',
    [`${'f/'.repeat(200)}${'a'.repeat(255)}`]: 'a'.repeat(255),
  };
  for (const [path, name] of Object.entries(paths)) {
    it(`${JSON.stringify(path.slice(-40))} arrives without its folders`, async () => {
      assert.deepEqual(await roundTrip(path), [name, name]);
    });
  }

  it('one of slashes only is refused with a sentence', async () => {
    for (const path of ['/', '\\', '//\\ ']) await assert.rejects(roundTrip(path), /must be a file with a name/);
  });

  it('any name arrives as it is, but for folders and characters that XML has not', async () => {
    const unit = fc.oneof(
      fc.constantFrom('"', '\\', '%22', '%', ';', '\r', '\n', "'", '*', '=', '/', '.', ' ', 'e\u0301'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    );
    const name = fc
      .string({ unit, minLength: 1, maxLength: 40 })
      .filter((text) => text.length <= 255 && /[^\s/\\]/.test(text));
    await fc.assert(
      fc.asyncProperty(name, async (filename) => {
        const last = filename.split(/[/\\]/).findLast((part) => part.trim() !== '');
        assert.deepEqual(await roundTrip(filename), [last, last]);
      }),
      { numRuns: 60 },
    );
  });

  it('control characters, which XML cannot carry, do no harm', async () => {
    const [listed = ''] = await roundTrip('bell\u0007 and \u0000 and half \ud83d.txt');
    assert.match(listed, /^bell.? and .? and half \ufffd\.txt$/);
  });

  it('one that is too long is refused with a sentence, and nothing is kept', async () => {
    const before = (await tracker.getStory({ projectId, storyId })).attachments.length;
    await assert.rejects(roundTrip('a'.repeat(256)), /A file name can have at most 255 characters\./);
    assert.equal((await tracker.getStory({ projectId, storyId })).attachments.length, before);
  });
});
