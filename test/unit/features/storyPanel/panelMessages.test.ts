import assert from 'node:assert/strict';
import fc from 'fast-check';
import { safeLink } from '../../../../src/features/storyPanel/html.ts';
import { pageShell } from '../../../../src/features/storyPanel/pageShell.ts';
import {
  fromPage,
  NEW_STORY,
  pageState,
  storyOfPage,
  toPage,
} from '../../../../src/features/storyPanel/panelMessages.ts';
import { fieldTexts, pageFields } from '../../../../src/features/storyPanel/storyFields.ts';
import { storyParts } from '../../../../src/features/storyPanel/storyParts.ts';
import { aProject, aStory } from '../../../support/builders/builders.ts';
import { englishTexts } from './englishTexts.ts';

const story = { accountId: 'builtIn', projectId: 1, storyId: 12 };

describe('What page and extension say to each other', () => {
  it('is taken when it is whole', () => {
    assert.deepEqual(fromPage({ type: 'task', id: 3, complete: true, more: 1 }), {
      type: 'task',
      id: 3,
      complete: true,
    });
    const texts = {
      task: 'a',
      taskEdits: [{ id: 1, text: 'b', known: 'c' }],
      taskReturned: ['d'],
      commentReturned: [],
    };
    assert.deepEqual(fromPage({ type: 'keepTexts', texts: { ...texts, more: 1 } }), { type: 'keepTexts', texts });
    const nothing = { task: '', taskEdits: [], taskReturned: [], commentReturned: [] };
    const odd = { task: 1, taskEdits: [{ id: '1' }, 3], taskReturned: 'a', commentReturned: [null] };
    assert.deepEqual(toPage({ type: 'texts', texts: odd }), { type: 'texts', texts: nothing });
    assert.deepEqual(fromPage({ type: 'comment', text: 'a' }), { type: 'comment', text: 'a' });
    assert.deepEqual(fromPage({ type: 'newTask', text: 'a' }), { type: 'newTask', text: 'a' });
    const command = { type: 'command', command: 'ownStory' };
    assert.deepEqual(fromPage(command), command);
    const commit = { type: 'link', address: '', hash: '1a2b3c4d5e' };
    assert.deepEqual(fromPage(commit), commit);
    assert.deepEqual(fromPage({ ...commit, hash: 1 }), { type: 'link', address: '' });
    const older = { type: 'older', list: 'comments' };
    assert.deepEqual(fromPage(older), older);
    assert.deepEqual(fromPage({ type: 'newest', list: 'tasks', state: 'x' }), { type: 'newest', list: 'tasks' });
    const paste = { type: 'paste', files: [{ name: 'a.png', bytes: new Uint8Array([1]) }] };
    assert.deepEqual(fromPage(paste), paste);
    const left = { type: 'notAttached', names: ['a.png'] };
    assert.deepEqual(toPage({ ...left, names: ['a.png', 1] }), left);
    const content = { type: 'content', story, parts: storyParts(aStory(), {}, englishTexts) };
    assert.deepEqual(toPage(content), content);
  });

  it('about fields is taken when it is whole', () => {
    const draft = { field: 'name', base: 'Bake', text: 'Bake rye' };
    for (const said of [
      { type: 'keepDraft', draft },
      { type: 'saveField', draft },
      { type: 'saveField', draft, sent: 'Bake' },
      { type: 'discardDraft', field: 'deadline' },
      { type: 'removeLabel', text: 'api' },
      { type: 'preview', text: '' },
      { type: 'compare', text: 'a' },
      { type: 'createStory', texts: fieldTexts(aStory()) },
    ]) {
      assert.deepEqual(fromPage({ ...said, more: 1 }), said);
    }
    for (const said of [
      { type: 'fields', fields: pageFields(aStory({ labels: ['api'] }), aProject(), englishTexts) },
      { type: 'drafts', drafts: [{ ...draft, problem: 'No.' }] },
      { type: 'drafts', drafts: [{ ...draft, problem: '', isSent: true }] },
      { type: 'fieldSaved', field: 'name', text: 'Bake rye' },
      { type: 'writable', isWritable: false },
      { type: 'draftWithdrawn', field: 'name', text: 'Bake rye' },
      { type: 'preview', html: '<p>a</p>' },
      { type: 'write', field: 'name' },
      { type: 'newStory', story: { ...story, storyId: 0 }, where: 'Icebox' },
    ]) {
      assert.deepEqual(toPage({ ...said, more: 1 }), said);
    }
  });

  for (const message of [
    null,
    'ready',
    { type: 'comment', text: ' \n' },
    { type: 'comment', text: 5 },
    { type: 'task', id: '3', complete: true },
    { type: 'task', id: 1.5, complete: true },
    { type: 'newTask', text: ' ' },
    { type: 'command', command: 'signOut' },
    { type: 'command' },
    { type: 'state' },
    { type: 'openAttachment' },
    { type: 'paste', files: [{ name: 'a.png', bytes: [1] }] },
    { type: 'paste', files: [{ name: '', bytes: new Uint8Array(1) }] },
    { type: 'paste' },
    { type: 'older' },
    { type: 'newest', list: 'stories' },
    { type: 'link', address: {} },
    { type: 'anything' },
    { type: 'saveField', draft: { field: 'state', base: '', text: 'accepted' } },
    { type: 'keepDraft', draft: { field: 'name', text: 'a' } },
    { type: 'discardDraft', field: 'constructor' },
    { type: 'compare' },
    { type: 'createStory', texts: { name: 'a' } },
  ]) {
    it(`is refused from a page: ${JSON.stringify(message)}`, () => assert.equal(fromPage(message), undefined));
  }

  it('is refused from an extension when anything is missing', () => {
    assert.equal(toPage({ type: 'content', story, parts: { head: '' } }), undefined);
    assert.equal(toPage({ type: 'content', story: { ...story, storyId: '12' }, parts: {} }), undefined);
    assert.equal(toPage({ type: 'commentTaken' }), undefined);
    assert.equal(toPage({ type: 'fields', fields: { texts: { name: 'a' } } }), undefined);
    assert.equal(toPage({ type: 'fieldSaved', field: 'state', text: 'a' }), undefined);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        fromPage(value);
        toPage(value);
        assert.equal(typeof pageState(value).draft, 'string');
      }),
    );
  });

  it('is kept over a reload', () => {
    const state = { story, draft: 'begun', task: 'Heat' };
    assert.deepEqual(pageState(state), state);
    assert.deepEqual(pageState(undefined), { story: undefined, draft: '', task: '' });
  });
});

describe('Links', () => {
  assertLink('https://example.test/a', true);
  assertLink('http://127.0.0.1:8080/', true);
  assertLink('mailto:ada@example.test', true);
  assertLink('javascript:alert(1)', false);
  assertLink(' java\nscript:alert(1)', false);
  assertLink('data:text/html,x', false);
  assertLink('file:///etc/passwd', false);
  assertLink('command:workbench.action.quit', false);
  assertLink('vscode://a.b/c', false);
  assertLink('//example.test', false);
  assertLink('', false);
  assertLink(`https://example.test/${'a'.repeat(5000)}`, false);
});

describe('The page', () => {
  const written = { accountId: 'a "<b>', projectId: 7, storyId: 12 };
  const files = { script: 's.js', style: 's.css', nonce: 'abc', language: 'en' };
  const page = pageShell({ ...files, story: written }, englishTexts);

  it('allows its own script and style, images that it holds itself, and nothing else', () => {
    assert.match(
      page,
      /content="default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc'; img-src blob:; base-uri 'none'; form-action 'none'"/,
    );
    assert.equal(page.match(/nonce="abc"/g)?.length, 2);
    assert.doesNotMatch(page, /\son\w+=|style=|unsafe|https?:/);
  });

  it('holds its script, which cannot end its element', () => {
    const script = "say('</script><b>'); say('<!-- <script');";
    const html = pageShell({ ...files, script, story: written }, englishTexts);
    assert.equal(html.match(/<\/script>/g)?.length, 1);
    assert.ok(html.includes("say('\\x3c/script><b>'); say('\\x3c!-- <script');"), html.slice(-400));
  });

  it('sends nothing of a story that no server has, and says why', () => {
    const buttons = (html: string) => html.match(/<button type="submit"[^>]*>(Add Task|Comment)</g) ?? [];
    assert.equal(buttons(page).length, 2);
    assert.ok(buttons(page).every((button) => !button.includes('disabled')));
    const unsent = buttons(pageShell({ ...files, story: { ...written, storyId: -3 } }, englishTexts));
    const why = 'disabled title="This story has no ID until it has been sent to the server."';
    assert.deepEqual(
      unsent.map((button) => button.includes(why)),
      [true, true],
    );
  });

  it('has commits below the comments, where they are on the screen', () => {
    const at = (text: string) => page.indexOf(text);
    const [comments, commits, side] = [at('data-part="comments"'), at('data-part="commits"'), at('class="side"')];
    assert.ok(0 < comments && comments < commits && commits < side);
  });

  it('says who requests a new story while nobody is named', () => {
    const empty = (html: string) => / id="field-requestedBy"[^>]* placeholder="([^"]*)"/.exec(html)?.[1];
    assert.equal(empty(pageShell({ ...files, story: { ...written, storyId: NEW_STORY } }, englishTexts)), 'You');
    assert.equal(empty(page), '');
  });

  it('says whose page it is', () => {
    const plain = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    const own = /<body data-story="([^"]*)">/.exec(page)?.[1];
    assert.deepEqual(storyOfPage(own && plain(own)), written);
    assert.equal(storyOfPage(undefined), undefined);
    assert.equal(storyOfPage('{"storyId":12}'), undefined);
  });

  it('has one main landmark, and a name for its box', () => {
    assert.equal(page.match(/<main/g)?.length, 1);
    assert.match(page, /<label for="comment" title="Go to Comment \(Alt\+C\)"[^<>]*>Add a comment</);
  });
});

function assertLink(address: string, isSafe: boolean): void {
  it(`${isSafe ? 'may' : 'may not'} lead to ${JSON.stringify(address.slice(0, 60))}`, () => {
    assert.equal(safeLink(address) !== undefined, isSafe);
  });
}
