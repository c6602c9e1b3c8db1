import assert from 'node:assert/strict';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { CallOptions } from '../../../../src/core/ports/tracker.ts';
import {
  attachmentDetails,
  attachmentFacts,
  kindOfContents,
  theAttachment,
} from '../../../../src/host/story/theAttachment.ts';
import { anAttachment, aStory, without } from '../../../support/builders/builders.ts';
import { answerOf, fakeTracker } from '../../../support/trackers/fakeTracker.ts';

/** Where an attachment can be fetched of which the server tells this address, in a story of this page. */
async function addressOf(url: string | undefined, page: string | undefined): Promise<string | undefined> {
  const { url: _, ...plain } = aStory({ id: 12 });
  const story = { ...plain, ...(page !== undefined && { url: page }) };
  const attachment = anAttachment({ id: 7, ...(url !== undefined && { url }) });
  const server = { getAttachment: () => attachment, getStory: () => story };
  const backlogs = {
    tracker: () => fakeTracker((call) => answerOf(server, call)),
    refreshStory: async () => story,
  };
  const place = { key: { accountId: 'one', projectId: 1 }, storyId: 12, attachmentId: 7 };
  return (await theAttachment(backlogs, place)).address;
}

describe('The address of an attachment', () => {
  it('takes web addresses as they are', async () => {
    assert.equal(await addressOf('https://x.example/f?sig=1', undefined), 'https://x.example/f?sig=1');
    assert.equal(await addressOf('http://127.0.0.1:8080/f', undefined), 'http://127.0.0.1:8080/f');
  });

  it('reads a relative address from the story’s page', async () => {
    assert.equal(await addressOf('/files/7', 'https://x.example/story/1'), 'https://x.example/files/7');
  });

  it('opens nothing but the web', async () => {
    for (const address of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'vscode://x.y/run',
      'data:text/html,x',
      'command:x',
    ]) {
      assert.equal(await addressOf(address, 'https://x.example/'), undefined, address);
    }
  });

  it('has none where there is none', async () => {
    assert.equal(await addressOf(undefined, 'https://x.example/'), undefined);
    assert.equal(await addressOf('', 'https://x.example/'), undefined);
    assert.equal(await addressOf('/files/7', undefined), undefined);
    assert.equal(await addressOf('http://', undefined), undefined);
  });
});

describe('Asking for the address of an attachment', () => {
  const place = { key: { accountId: 'one', projectId: 1 }, storyId: 12, attachmentId: 7 };
  /** Of each question but the first, how many milliseconds it was told that others took before. */
  let waited: (number | undefined)[];
  const later = async <T>(value: T) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return value;
  };

  beforeEach(() => {
    waited = [];
  });

  it('takes the time of one call, however much is asked', async () => {
    const story = aStory({ id: 12, attachments: [anAttachment({ id: 7, url: 'https://x.example/f' })] });
    const tracker = (getAttachment: () => Promise<unknown>) => () =>
      fakeTracker(async ({ method, options }) => {
        if (method === 'getAttachment') return getAttachment();
        waited.push(options?.waited);
        return story;
      });
    const refreshStory = async (_key: unknown, _id: number, options?: CallOptions) => {
      waited.push(options?.waited);
      return later(story);
    };
    const relative = { ...anAttachment({ id: 7 }), url: '/files/7' };
    await theAttachment({ tracker: tracker(() => later(relative)), refreshStory }, place);
    const unknown = async () => {
      await later(undefined);
      throw new TrackerError('notFound', 'There is none.');
    };
    const found = await theAttachment({ tracker: tracker(unknown), refreshStory }, place);
    assert.equal(waited.length, 2);
    for (const before of waited) assert.ok((before ?? 0) >= 19, String(before));
    assert.ok(found.waited >= 38, `The download has not ${found.waited} ms less.`);
  });
});

describe('kindOfContents', () => {
  const assertKind = (name: string, start: string | readonly number[], expected: string) =>
    it(`is ${expected} for ${name} that begins with ${JSON.stringify(start)}`, () =>
      assert.equal(kindOfContents(name, Buffer.from(typeof start === 'string' ? start : [...start])), expected));

  assertKind('notes.txt', 'brød', 'text');
  assertKind('Makefile', 'all:', 'text');
  assertKind('empty', '', 'text');
  assertKind('windows.txt', [0xff, 0xfe, 0x61, 0], 'text');
  assertKind('shot.PNG', [0x89, 0x50, 0], 'image');
  assertKind('drawing.svg', '<svg/>', 'text');
  assertKind('archive.zip', [0x50, 0x4b, 3, 4, 0], 'other');
  assertKind('paper.pdf', '%PDF-1.7', 'other');
});

describe('what is told of an attachment', () => {
  const uploadedAt = { text: '2010/12/01 09:30:00 EST' };

  it('is its size, who uploaded it, and when', () => {
    const attachment = anAttachment({ size: 1536, uploadedBy: 'Bo', uploadedAt });
    assert.equal(attachmentFacts(attachment), '1.5 KB · Bo · 2010/12/01');
    assert.equal(attachmentDetails(attachment), '1.5 KB · Bo · 2010/12/01 09:30:00 EST');
    assert.match(attachmentFacts(anAttachment({ size: 0 })), /^0 B · /);
  });

  it('is nothing that the server does not tell', () => {
    assert.equal(
      attachmentFacts(anAttachment({ uploadedBy: 'Bo', uploadedAt: { text: 'yesterday' } })),
      'Bo · yesterday',
    );
    assert.equal(attachmentFacts(without(without(anAttachment(), 'uploadedBy'), 'uploadedAt')), '');
  });
});
