import assert from 'node:assert/strict';
import { findStory } from '../../../../src/core/backlog/backlog.ts';
import { withUnsentIntents } from '../../../../src/core/outbox/withUnsentIntents.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { newest, newestOfAll, olderWindow } from '../../../../src/features/storyPanel/listWindow.ts';
import type { Parts } from '../../../../src/features/storyPanel/panelMessages.ts';
import { firstScreen, shownLists, storyParts } from '../../../../src/features/storyPanel/storyParts.ts';
import { isolatedInTitle } from '../../../../src/host/shell/plainText.ts';
import { iconOfType } from '../../../../src/host/story/storyIcons.ts';
import {
  aBacklog,
  aDate,
  aNote,
  anAttachment,
  anIteration,
  aStory,
  aTask,
  without,
} from '../../../support/builders/builders.ts';
import { englishTexts } from './englishTexts.ts';

const EVIL = '<img src=x onerror="alert(1)">\'&';
const partsOf = (fields: Partial<Story> = {}): Parts => storyParts(aStory(fields), {}, englishTexts);
/** Those that are named by words, and not for writing. */
const buttons = (html: string) =>
  [...html.matchAll(/<button[^>]*>([^<]+)</g)].map(([, text]) => text).filter((text) => text !== 'Edit');

describe('The parts of a story', () => {
  it('show what it is, and who and when as the server wrote it', () => {
    const { head, details } = partsOf({
      labels: ['api', 'café'],
      ownedBy: 'Bo',
      createdAt: { text: '2010/12/01 09:30:00 EST' },
    });
    assert.match(head, /#12<.*<h1><bdi>Story 12<\/bdi><\/h1>.*unstarted.*feature.*2 points/s);
    assert.match(details, /^<dl><dt>Created<\/dt><dd><bdi>2010\/12\/01 09:30:00 EST<\/bdi><\/dd><dt>Updated/);
  });

  it('say of which project and iteration it is, as far as that is known', () => {
    const kicker = (project: Parameters<typeof storyParts>[1]) =>
      /<div class="kicker">.*?<\/svg>(.*?)<\/div>/s.exec(storyParts(aStory(), project, englishTexts).head)?.[1];
    assert.equal(kicker({}), '<span>#12</span>');
    assert.equal(
      kicker({ name: 'Mill & Co', place: { list: 'backlog', number: 7 } }),
      '<span>#12</span><span><bdi>Mill &amp; Co</bdi></span><span>Backlog 7</span>',
    );
    assert.match(kicker({ name: 'Mill', place: { list: 'icebox' } }) ?? '', /<span>Icebox<\/span>$/);
  });

  it('begin with the icon that the tree has for the type', () => {
    const drawn = (type: string) =>
      /<svg [^>]*data-icon="([^"]*)"[^>]*><path [^>]*d="([^"]*)"/.exec(partsOf({ type }).head);
    const types = ['feature', 'bug', 'chore', 'release', 'epic', 'constructor'];
    assert.deepEqual(
      types.map((type) => drawn(type)?.[1]),
      types.map(iconOfType),
    );
    assert.equal(new Set(types.map((type) => drawn(type)?.[2])).size, 5);
  });

  it('show who and which labels, too, where these cannot be written', () => {
    const { head, description, details, attachments } = partsOf({ id: -4, labels: ['api', 'café'], ownedBy: 'Bo' });
    for (const text of ['api', 'café', 'Bo', 'Ada Fenn']) assert.ok(details.includes(`<bdi>${text}</bdi>`), text);
    assert.doesNotMatch(head + description, /data-write/);
    assert.match(head, /<span>Not sent yet<\/span>.*This story has no ID until it has been sent to the server\./s);
    assert.doesNotMatch(head, /<button/);
    assert.equal(attachments, '', 'nothing can be attached yet');
  });

  it('lead to where name and description are written', () => {
    const { head, description } = partsOf();
    assert.match(head, /data-write="name"[^>]*aria-label="Edit Name">Edit</);
    assert.match(description, /data-write="description"[^>]*aria-label="Edit Description">Edit</);
  });

  const actionsOf = (fields: Partial<Story>) => buttons(partsOf(fields).head);

  it('offer to start with all that belongs to it, then what is needed to commit, the next state and all others', () => {
    const commit = ['Insert Marker', 'Link Commits…'];
    const rest = ['Change State…', 'Estimate…', 'Open in Browser'];
    assert.deepEqual(actionsOf({ state: 'unstarted' }), ['Start…', ...commit, ...rest]);
    assert.deepEqual(actionsOf({ estimate: -1 }), ['Start…', ...commit, ...rest]);
    assert.deepEqual(actionsOf({ state: 'started' }), ['Start…', ...commit, 'Finish', ...rest]);
    assert.deepEqual(actionsOf({ state: 'delivered' }), ['Start…', ...commit, 'Accept', 'Reject', ...rest]);
    assert.deepEqual(actionsOf({ state: 'rejected' }), ['Start…', ...commit, ...rest]);
    assert.deepEqual(actionsOf({ state: 'accepted' }), [...commit, ...rest]);
    assert.deepEqual(actionsOf({ type: 'release' }), [...commit, 'Finish', 'Change State…', 'Open in Browser']);
  });

  it('start by the command, never by the state alone', () => {
    for (const state of ['unscheduled', 'unstarted', 'rejected']) {
      const { head } = partsOf({ state });
      assert.match(head, /data-command="startStory"/);
      assert.doesNotMatch(head, /data-do="state" data-state="started"/);
    }
  });

  it('finish by the command, never by the state alone', () => {
    for (const fields of [{ state: 'started' }, { type: 'chore', state: 'started' }, { type: 'release' }]) {
      const { head } = partsOf(fields);
      assert.match(head, /data-command="finishStory"/);
      assert.doesNotMatch(head, /data-do="state"/);
    }
  });

  it('have one action that stands out', () => {
    for (const state of ['unstarted', 'started', 'finished', 'delivered', 'rejected', 'accepted']) {
      const row = partsOf({ state }).head.match(/<button(?![^>]*(?:secondary|link))[^>]*>([^<]+)</g) ?? [];
      assert.equal(row.length, state === 'accepted' ? 0 : 1, state);
    }
  });

  it('offer what belongs to no state where nobody knows the states', () => {
    const story = without(aStory({ type: 'epic', state: 'on_hold' }), 'url');
    assert.deepEqual(buttons(storyParts(story, {}, englishTexts).head), ['Insert Marker', 'Link Commits…']);
  });

  it('offer what changes the ticket, as far as there is one', () => {
    const integration = { id: 3, type: 'Other', name: 'Desk', fieldName: 'other_id', active: true };
    const of = (fields: Partial<Story>, isActive: boolean) =>
      buttons(
        storyParts(aStory(fields), { integrations: [{ ...integration, active: isActive }] }, englishTexts).details,
      );
    assert.deepEqual([of({}, false), of({}, true)], [[], ['Link…']]);
    const ticket = { prefix: 'other', externalId: 'T-1' };
    assert.deepEqual(of({ ticket }, true), ['Edit…', 'Unlink']);
    assert.deepEqual(of({ ticket: { ...ticket, url: 'https://x.test/1' } }, false), ['Open', 'Edit…', 'Unlink']);
  });

  it('show a moment with the text of its server, which stands alone where its zone is not known', () => {
    const known = aDate('2026-03-02T09:30:00Z');
    const { comments, details } = partsOf({
      notes: [aNote({ notedAt: known })],
      createdAt: { text: '2010/12/01 09:30:00 XQT' },
      updatedAt: { text: 'far away', time: 9e15 },
    });
    const time = '<time datetime="2026-03-02T09:30:00.000Z" title="2026/03/02 09:30:00 UTC">';
    assert.ok(comments.includes(`${time}<bdi>2026/03/02 09:30:00 UTC</bdi></time>`));
    assert.match(details, /<dd><bdi>2010\/12\/01 09:30:00 XQT<\/bdi><\/dd>/);
    assert.match(details, /<dd><bdi>far away<\/bdi><\/dd>/);
  });

  it('tell commits from comments', () => {
    const parts = partsOf({
      notes: [aNote({ text: 'Nice' }), aNote({ text: 'Trim it [fixes #12]\nhttps://git.test/c/1.' })],
    });
    assert.match(parts.comments, /Comments \(1\).*Nice/s);
    assert.match(parts.commits, /Commits \(1\).*<a href="https:\/\/git\.test\/c\/1"/s);
  });

  it('are empty where there is nothing and nothing to do', () => {
    const { tasks, commits } = partsOf();
    assert.deepEqual([tasks, commits], ['', '']);
  });

  it('show tasks as boxes with their names', () => {
    const { tasks } = partsOf({ tasks: [aTask(), aTask({ id: 62, description: 'Light it', complete: true })] });
    assert.match(tasks, /Tasks \(1 of 2 done\)/);
    assert.match(
      tasks,
      /<label><input type="checkbox" data-task="62" data-key="task-62"[^>]* checked><span[^>]*>Light it</,
    );
  });

  it('show a task that waits, which cannot be completed yet', () => {
    const { tasks } = partsOf({ tasks: [aTask({ id: -4, description: 'Light it' })] });
    assert.match(tasks, /<input type="checkbox" disabled><span[^>]*>Light it <span class="quiet">Not sent yet</);
  });

  it('hold no markup of the server, wherever it comes from', () => {
    const parts = partsOf({
      name: EVIL,
      type: EVIL,
      state: EVIL,
      description: EVIL,
      requestedBy: EVIL,
      ownedBy: EVIL,
      labels: [EVIL],
      createdAt: { text: EVIL },
      ticket: { prefix: EVIL, externalId: EVIL, url: 'javascript:alert(1)' },
      notes: [aNote({ text: EVIL, author: EVIL, notedAt: { text: EVIL } }), aNote({ text: `${EVIL} [#12]` })],
      tasks: [aTask({ description: EVIL })],
      attachments: [anAttachment({ filename: EVIL, uploadedBy: EVIL })],
    });
    for (const html of Object.values(parts)) {
      assert.doesNotMatch(html, /<img|javascript:/);
      assert.doesNotMatch(html.replace(/<[^<>]*>/g, ''), /[<>]/);
    }
  });

  it('show a commit with its page and how far it is', () => {
    const text = 'Commit by Ada\nhttps://code.example/c/1a2b3c4d5e\n\nBake [#12]';
    const linked = partsOf({ notes: [aNote({ text, author: 'Ada' })] });
    assert.match(
      linked.commits,
      /<a href="https:\/\/code\.example\/c\/1a2b3c4d5e"[^>]*data-hash="1a2b3c4d5e">1a2b3c4<\/a>/,
    );
    assert.match(linked.commits, /data-commit="linked"><bdi>linked<\/bdi>/);
    const byBo = partsOf({ notes: [aNote({ text: text.replace('Ada', 'Bo'), author: 'Ada' })] }).commits;
    assert.match(byBo, /<strong><bdi>Bo<\/bdi><\/strong>/, 'who made it');
    assert.match(byBo, /data-commit="linked"><bdi>linked by Ada<\/bdi>/, 'who linked it');
    assert.doesNotMatch(byBo, /Commit by|<p>https/);
    const commit = { commitId: '5e5e5e5e5e', message: 'Bake [#12]', author: 'Ada', url: 'javascript:alert(1)' };
    const problem = { kind: 'refused', message: 'Frozen <b>.' } as const;
    const link = { kind: 'link', storyId: 12, stories: [{ projectId: 1, storyId: 12 }], commit } as const;
    const before = aBacklog({ iterations: [anIteration({ stories: [aStory({ id: 12 })] })] });
    const after = withUnsentIntents(before, [{ intent: link, place: 1, id: 'a', state: 'failed', problem }]);
    const failed = partsOf({ notes: findStory(after, 12)?.notes ?? [] });
    assert.match(
      failed.commits,
      /<code><a href="#" title="5e5e5e5e5e" data-hash="5e5e5e5e5e">5e5e5e5<\/a><\/code>.*data-commit="failed"><bdi>failed<\/bdi> · <bdi>Frozen &lt;b&gt;\./,
    );
  });

  it('tell of attachments what the server tells, and offer to have all where there are several', () => {
    const one = anAttachment({ size: 2048, uploadedBy: 'Bo', uploadedAt: { text: '2010/12/01 09:30:00 EST' } });
    const { attachments } = partsOf({ attachments: [one] });
    assert.match(
      attachments,
      /<bdi>chart\.csv<\/bdi>.*<bdi>2\.0 KB · Bo<\/bdi> · <bdi>2010\/12\/01 09:30:00 EST<\/bdi>/,
    );
    const uploadedAt = { text: '2010/12/01 09:30:00 UTC', time: Date.UTC(2010, 11, 1, 9, 30) };
    assert.match(
      partsOf({ attachments: [anAttachment({ uploadedAt })] }).attachments,
      /<time datetime="2010-12-01T09:30:00\.000Z" title="2010\/12\/01 09:30:00 UTC">/,
    );
    assert.deepEqual(buttons(attachments), ['Open', 'Save As…', 'Attach Files…']);
    const two = partsOf({ attachments: [one, anAttachment({ id: 72 })] });
    assert.equal(buttons(two.attachments).at(-1), 'Save All…');
  });

  it('open only tickets on the web', () => {
    const ticket = { prefix: 'jira', externalId: '007', url: 'https://tickets.test/007' };
    assert.match(partsOf({ ticket }).details, /<a href="https:\/\/tickets\.test\/007"[^>]*>007<\/a>/);
    assert.match(partsOf({ ticket: { ...ticket, url: 'file:///etc/passwd' } }).details, /<bdi>007<\/bdi>/);
  });

  it('show what would hide or turn text', () => {
    const { head, description, comments } = partsOf({
      name: 'ab\u202edc\u0000\u2066',
      description: 'a&#x202e;b',
      notes: [aNote({ text: 'one\r\ntwo\u001b[31m' })],
    });
    assert.match(head, /<bdi>ab\ufffddc\ufffd\ufffd<\/bdi>/);
    assert.match(description, /a\ufffdb/);
    assert.match(comments, />one\ntwo\ufffd\[31m</);
    assert.equal(isolatedInTitle('a\u202eb\n c'), '\u2068a\ufffdb c\u2069');
  });

  it('leave text from right to left to find its direction', () => {
    const { head, comments } = partsOf({ name: 'שלום', notes: [aNote({ text: 'مرحبا' })] });
    assert.match(head, /<h1><bdi>שלום<\/bdi>/);
    assert.match(comments, /dir="auto">مرحبا</);
  });

  it('say so when a story has no name, and when nobody owns it', () => {
    assert.match(partsOf({ name: ' ' }).head, /<h1>Unnamed story<\/h1>/);
    assert.match(partsOf({ id: -4 }).details, /Owner<\/dt><dd><bdi>Nobody/);
  });

  it('take dates of which only the text is known', () => {
    assert.match(
      partsOf({ id: -4, deadline: { text: 'XQT' }, acceptedAt: aDate('2026-03-02T09:30:00Z') }).details,
      /XQT/,
    );
  });

  it('are made of hundred thousand characters and thousand comments', () => {
    const long = 'x'.repeat(100_000);
    const parts = partsOf({ name: long, description: long, notes: Array.from({ length: 1000 }, () => aNote()) });
    assert.match(parts.comments, /Comments \(1000\)/);
    assert.ok(parts.head.includes(long) && parts.description.includes(long));
  });

  const COUNT = 100_000;
  const rows = (html: string) => html.match(/<li[ >]/g)?.length ?? 0;

  it('are as short for a hundred thousand of each as for hundreds, and lead to the others', () => {
    let looks = 0;
    const told = <T extends object>(value: T): T =>
      new Proxy(value, {
        get(target, name) {
          if (name === 'text') looks += 1;
          return Reflect.get(target, name);
        },
      });
    const { comments, tasks, attachments, commits } = partsOf({
      notes: Array.from({ length: COUNT }, (_, at) =>
        told(aNote({ id: at, text: at % 2 === 0 ? `Said ${at}` : `Bake ${at} [#12]` })),
      ),
      tasks: Array.from({ length: COUNT }, (_, at) => aTask({ id: at })),
      attachments: Array.from({ length: COUNT }, (_, at) => anAttachment({ id: at })),
    });
    assert.deepEqual([comments, tasks, attachments, commits].map(rows), [50, 50, 50, 50]);
    assert.ok(looks < 10_000, `${looks} looks at comments`);
    assert.match(comments, /Said 99998</);
    assert.match(commits, /Bake 99999 /);
    assert.deepEqual(buttons(comments), ['Show Older Comments (450)']);
    assert.deepEqual(buttons(commits), ['Show Older Commits (450)']);
    assert.deepEqual(buttons(tasks), ['Show Earlier Tasks (99950)']);
    assert.equal(buttons(attachments)[0], 'Show Older Attachments (99950)');
  });

  it('begin as they go on where only a screen of them is shown', () => {
    const count = (name: 'tasks' | 'comments' | 'attachments' | 'commits') => {
      const story = aStory({
        notes: Array.from({ length: 99 }, (_, id) =>
          aNote({ id, text: id % 2 === 0 ? `Said ${id}` : `Bake [#12] ${id}` }),
        ),
        tasks: Array.from({ length: 60 }, (_, id) => aTask({ id, description: `Sift ${id}` })),
        attachments: Array.from({ length: 60 }, (_, id) => anAttachment({ id, filename: `${id}.png` })),
      });
      const lists = shownLists(story);
      const all = storyParts(story, {}, englishTexts, lists)[name];
      const some = storyParts(story, {}, englishTexts, firstScreen(lists))[name];
      const end = some.lastIndexOf('</li>');
      assert.ok(all.startsWith(some.slice(0, end)), name);
      return rows(some);
    };
    assert.deepEqual([count('tasks'), count('comments'), count('attachments'), count('commits')], [8, 8, 8, 8]);
  });

  it('show older ones step by step, to the first, and the newest again', () => {
    const story = aStory({ notes: Array.from({ length: 480 }, (_, id) => aNote({ id, text: `Said ${id}.` })) });
    const seen = new Set<string>();
    let windows = newestOfAll;
    for (let steps = 0; steps < 20; steps++) {
      const lists = shownLists(story, windows);
      const { comments } = storyParts(story, {}, englishTexts, lists);
      assert.ok(rows(comments) <= 200);
      for (const [text] of comments.matchAll(/Said \d+\./g)) seen.add(text);
      if (lists.comments.older === 0) break;
      windows = { ...windows, comments: olderWindow(windows.comments, lists.comments) };
    }
    assert.equal(seen.size, 480);
    const { comments } = storyParts(story, {}, englishTexts, shownLists(story, windows));
    assert.deepEqual(buttons(comments), ['Show Newest Comments']);
    assert.deepEqual(shownLists(story, { ...windows, comments: newest }).comments.items.at(-1)?.text, 'Said 479.');
  });

  it('show older ones also where few fit', () => {
    const notes = Array.from({ length: 30 }, (_, id) => aNote({ id, text: `${id}. ${'x'.repeat(19_000)}` }));
    let windows = newestOfAll;
    let shown = shownLists(aStory({ notes }), windows).comments;
    const seen = [...shown.items];
    for (let steps = 0; steps < 30 && shown.older > 0; steps++) {
      windows = { ...windows, comments: olderWindow(windows.comments, shown) };
      shown = shownLists(aStory({ notes }), windows).comments;
      seen.push(...shown.items);
    }
    assert.equal(new Set(seen).size, 30);
    assert.equal(shown.items.length, 5);
  });

  it('show the beginning of texts without end, and say how much more there is', () => {
    const endless = 'x'.repeat(1_000_000);
    const parts = partsOf({
      name: endless,
      state: endless,
      type: endless,
      description: endless,
      requestedBy: endless,
      ownedBy: endless,
      labels: Array.from({ length: 5000 }, (_, at) => `${at} ${endless.slice(0, 2000)}`),
      createdAt: { text: endless },
      ticket: { prefix: endless, externalId: endless, url: `https://x.test/${endless}` },
      notes: Array.from({ length: 100 }, (_, id) => aNote({ id, text: endless, author: endless })),
      tasks: Array.from({ length: 100 }, (_, id) => aTask({ id, description: endless })),
      attachments: Array.from({ length: 100 }, (_, id) => anAttachment({ id, filename: endless })),
    });
    const lengths = Object.entries(parts).map(([name, { length }]) => [name, length] as const);
    for (const [name, length] of lengths) assert.ok(length < 400_000, `${name}: ${length}`);
    assert.match(parts.description, /900000 more characters are not shown\./);
    assert.match(parts.comments, /980000 more characters are not shown\./);
    assert.match(parts.details, /and 4900 more/);
  });

  it('say what only the server has', () => {
    const story = { ...aStory({ notes: [aNote()], tasks: [aTask()] }), older: { notes: 7, tasks: 8, attachments: 0 } };
    const { comments, tasks, attachments } = storyParts(story, {}, englishTexts);
    assert.match(comments, /7 older items are only available on the server\./);
    assert.match(tasks, /8 older items are only available on the server\./);
    assert.doesNotMatch(attachments, /only available on the server/);
  });
});
