import assert from 'node:assert/strict';
import { requestFor } from '../../../../src/client/tracker/intentRequest.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { Tracker } from '../../../../src/core/ports/tracker.ts';
import { serve, trackerFor } from '../../../support/servers/testServer.ts';

const ref = { projectId: 7, storyId: 12 };

/** What is told beforehand is what a server then gets. */
async function assertSent(intent: Intent, send: (tracker: Tracker) => Promise<unknown>): Promise<string | undefined> {
  const server = await serve((_, response) => response.writeHead(422).end());
  const { tracker } = trackerFor(server.url);
  try {
    await assert.rejects(send(tracker));
    const [seen] = server.seen;
    const { method, path, body } = requestFor(7, intent);
    const text = body && Buffer.from(body).toString('latin1');
    assert.deepEqual([method, path, text ?? ''], [seen?.method, seen?.url, seen?.body]);
    return body;
  } finally {
    await tracker.close();
    await server.close();
  }
}

describe('The request of a change that waits', () => {
  it('is told as it will be sent', async () => {
    const edit = { state: 'started', estimate: null } as const;
    await assertSent({ kind: 'edit', storyId: 12, edit }, (tracker) => tracker.updateStory(ref, edit));
    const text = 'Ça <va>?\r\nOui';
    await assertSent({ kind: 'comment', storyId: 12, text }, (tracker) => tracker.addNote(ref, text));
    await assertSent({ kind: 'task', storyId: 12, taskId: 3, complete: true }, (tracker) =>
      tracker.updateTask(ref, 3, { complete: true }),
    );
    await assertSent({ kind: 'newTask', storyId: 12, description: text }, (tracker) => tracker.addTask(ref, text));
    const story = { name: text, type: 'bug', state: 'unscheduled' };
    await assertSent({ kind: 'newStory', storyId: -1, story }, (tracker) => tracker.createStory(7, story));
    const change = { add: ['new'], remove: ['old'] };
    await assertSent({ kind: 'labels', storyId: 12, change, known: ['a', 'Old'] }, (tracker) =>
      tracker.updateStory(ref, { labels: ['a', 'new'] }),
    );
    const move = { kind: 'move', storyId: 12, place: 'before', targetId: 14 } as const;
    const none = await assertSent(move, (tracker) => tracker.moveStory(ref, 'before', 14));
    assert.equal(none, undefined);
  });

  it('is, of a commit, the element of api-v3.md', async () => {
    const commit = {
      commitId: '1a2b',
      message: '[fixes #12] Heat & bake',
      author: 'Ada',
      url: 'https://x.example/1a2b',
    };
    const link: Intent = { kind: 'link', storyId: 12, stories: [ref], commit };
    const body = await assertSent(link, (tracker) => tracker.postSourceCommit(commit));
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<source_commit>',
      '  <message>[fixes #12] Heat &amp; bake</message>',
      '  <author>Ada</author>',
      '  <commit_id>1a2b</commit_id>',
      '  <url>https://x.example/1a2b</url>',
      '</source_commit>\n',
    ];
    assert.equal(body, lines.join('\n'));
  });
});
