import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Story } from '../../src/core/story/story.ts';
import { StoryTree } from '../../src/features/stories/tree/storyTree.ts';
import { treeItem } from '../../src/features/stories/tree/treeItem.ts';
import { storyHover } from '../../src/host/story/storyHover.ts';
import { DetailNode, IterationNode, StoryNode } from '../../src/host/tree/nodes.ts';
import { aNote, aStory, aTask } from '../support/builders/builders.ts';

const LONG = 'x'.repeat(100_000);
/** Would turn what is around it, hide what follows, or stand for what nobody sees. */
const UNSEEN = /\p{Cc}|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/u;
const hostile = [
  ...['ab\u202edc\u0000', '\u2066\u2067turned', 'two\nlines\r\nand\u2028more', '<img src=x onerror=alert(1)>'],
  ...['[words](command:workbench.action.quit)', '$(flame) ![](https://attacker.example/x.png)', LONG, '\ud800 alone'],
  ...['javascript:alert(1)', '**bold** `code` | table |', ' ', '👩‍🍳'.repeat(20_000)],
];

function rowOf(story: Story): StoryNode {
  const key = { accountId: 'a', projectId: 1 };
  return new StoryNode(key, story, new IterationNode(key, 'icebox', undefined, [story]));
}

const emptyTree = new StoryTree(
  {
    projects: async () => [],
    backlog: async () => Promise.reject(new Error('There is no project here.')),
    peek: () => undefined,
  },
  { sentenceOf: String, nothingFits: '' },
);

function assertCalm(text: unknown): void {
  assert.ok(typeof text === 'string');
  assert.ok(text.length < 4000, `${text.length} characters`);
  assert.doesNotMatch(text, UNSEEN);
  assert.ok(text.isWellFormed());
}

/** The elements that a description is made into. */
const OURS =
  /<\/?(?:p|h[3-6]|ul|ol|li|blockquote|pre|code|strong|em|s|br|hr|table|thead|tbody|tr|th|td|div)(?: (?:dir="auto"|class="[\w -]*"|start="\d+"))*>|<a href="(?:https?:|mailto:)[^"<>]*"(?: title="[^"<>]*")?>|<\/a>/g;

describe('Rows of what a server may call things', () => {
  for (const name of hostile) {
    it(`say it on one short line: ${JSON.stringify(name.slice(0, 50))}`, () => {
      const story = aStory({ name, state: name, ownedBy: name, type: name, labels: [name], description: name });
      const item = treeItem(rowOf(story), emptyTree);
      assertCalm(item.label);
      assertCalm(item.description);
      assert.ok(String(item.label).length > 0);
      assertCalm(item.accessibilityInformation?.label);
    });

    it(`show it as text when the pointer rests there: ${JSON.stringify(name.slice(0, 50))}`, () => {
      const hover = storyHover(aStory({ name, labels: [name], requestedBy: name, description: name }));
      assert.ok(!hover.isTrusted && !hover.supportThemeIcons);
      assert.ok(hover.value.length < 20_000, `${hover.value.length} characters`);
      assert.doesNotMatch(hover.value.replaceAll(OURS, ''), /(?<!\\)\]\(|<[^<]*(?<!\\)>|(?<!\\)!\[/);
    });

    it(`say so of what a story holds: ${JSON.stringify(name.slice(0, 50))}`, () => {
      const story = aStory({ tasks: [aTask({ id: 1, description: name })], notes: [aNote({ id: 2, text: name })] });
      for (const node of [new DetailNode(rowOf(story), 'task', 1), new DetailNode(rowOf(story), 'note', 2)]) {
        const item = treeItem(node, emptyTree);
        assertCalm(item.label);
        assert.ok(item.command === undefined || name.includes('https://'));
      }
    });
  }

  it('are shown and spoken with the full name, so that it is found by any of its words', () => {
    const name = 'Let the baker see which orders have to be ready before the shop opens at six';
    const { accessibilityInformation, label } = treeItem(rowOf(aStory({ name })), emptyTree);
    assert.ok(accessibilityInformation?.label.includes(name));
    assert.equal(label, name);
  });

  it('are never more than an icon and text: VS Code draws no icons in labels of rows', () => {
    const { label } = treeItem(rowOf(aStory({ name: '$(flame) fire' })), emptyTree);
    assert.equal(typeof label, 'string');
    assert.ok(treeItem(rowOf(aStory()), emptyTree).iconPath instanceof vscode.ThemeIcon);
  });
});
