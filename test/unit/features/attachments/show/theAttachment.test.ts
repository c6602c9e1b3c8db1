import assert from 'node:assert/strict';
import { kindOfContents } from '../../../../../src/features/attachments/show/kindOfContents.ts';
import { theAttachment } from '../../../../../src/host/story/theAttachment.ts';
import { anAttachment, aStory } from '../../../../support/builders/builders.ts';
import { answerOf, fakeTracker } from '../../../../support/trackers/fakeTracker.ts';

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
