import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Story } from '../../src/core/story/story.ts';
import { StoryTree } from '../../src/features/stories/tree/storyTree.ts';
import { treeItem } from '../../src/features/stories/tree/treeItem.ts';
import type { HoverLinks } from '../../src/host/story/hoverMarkdown.ts';
import { storyHover, textHover } from '../../src/host/story/storyHover.ts';
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

/** Markdown that would run, load, open or hide something, or come out of what holds it. */
const hostileMarkdown = [
  ...[
    '[a](file:///etc/passwd) [b](vscode://x.y/z) [c][r]\n\n[r]: command:quit',
    '[x](&#99;ommand:quit) <command:quit>',
  ],
  ...['![a](https://attacker.example/x.png "t") [![b](https://a.example/b.png)](javascript:quit)', '&#x202e;turned'],
  ...['```\n````\n<b>\n', '`` ` <i> ``', '<https://a.example/)](command:quit)>', '[a](<https://a.example/ (b)>)'],
  ...[
    '<img src=x onerror=alert(1)>',
    '&lt;b&gt;',
    '| <b> | `|` |\n|---|---|\n| [a](command:x) | ![](y) |',
    '> '.repeat(2000),
  ],
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
  { sentenceOf: String, nothingFits: '', noProjectFits: '', hiddenProjects: String, signedOut: String, noStories: '' },
);

function assertCalm(text: unknown): void {
  assert.ok(typeof text === 'string');
  assert.ok(text.length < 4000, `${text.length} characters`);
  assert.doesNotMatch(text, UNSEEN);
  assert.ok(text.isWellFormed());
}

/** What Markdown shows as it is written. */
const CODE = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;

/** Where the links of a text in Markdown lead. */
function linksIn(markdown: string): readonly string[] {
  const found = [...markdown.matchAll(/(?<!\\)\]\(([^)]*)\)/g)];
  return found.map(([, address = '']) => address.replaceAll(/\\([:.])/g, '$1'));
}

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
      assert.ok(!hover.isTrusted && !hover.supportHtml);
      assert.ok(hover.value.length < 20_000, `${hover.value.length} characters`);
      assert.doesNotMatch(hover.value, /(?<!\\)\]\(|<[^<]*(?<!\\)>|(?<!\\)!\[/);
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

  for (const text of hostileMarkdown) {
    it(`are harmless as Markdown: ${JSON.stringify(text.slice(0, 50))}`, () => {
      for (const hover of [storyHover(aStory({ description: text })), textHover(text, text)]) {
        assert.ok(!hover.isTrusted && !hover.supportHtml && !hover.supportThemeIcons);
        assert.ok(hover.value.length < 20_000, `${hover.value.length} characters`);
        assert.doesNotMatch(hover.value.replaceAll(CODE, ''), /<[^<]*(?<!\\)>|(?<!\\)!\[/);
        assert.doesNotMatch(hover.value.replaceAll('\n', ''), UNSEEN);
        for (const link of linksIn(hover.value)) assert.match(link, /^(?:https?:\/\/|mailto:)[^\s<>()\\]+$/);
      }
    });
  }

  const links: HoverLinks = {
    isKnown: (storyId) => storyId === 12,
    addressOf: (storyId) => `command:storyTracker.openStory?${storyId}`,
  };

  it('lead to stories that are known, and to nothing else in the window', () => {
    const text = [
      'After #12, (#12) and [it](#12), not #13, a#12 or `#12`; [x](command:storyTracker.openStory?12)',
      '[y](command:storyTracker.deleteStory?12) [z](vscode://story-tracker.story-tracker/story/12)',
    ].join('\n');
    const known = 'command:storyTracker.openStory?12';
    for (const hover of [storyHover(aStory({ description: text }), links), textHover(text, '#12', links)]) {
      assert.deepEqual(hover.isTrusted, { enabledCommands: ['storyTracker.openStory'] });
      assert.deepEqual(linksIn(hover.value), [known, known, known, known]);
    }
    assert.deepEqual(linksIn(textHover(text).value), []);
  });

  for (const text of hostileMarkdown) {
    it(`lead nowhere else where they may lead to stories: ${JSON.stringify(text.slice(0, 50))}`, () => {
      const hover = storyHover(aStory({ description: `#12\n\n${text}` }), links);
      const [first, ...others] = linksIn(hover.value.replaceAll(CODE, ''));
      assert.equal(first, 'command:storyTracker.openStory?12');
      for (const link of others) assert.match(link, /^(?:https?:\/\/|mailto:)[^\s<>()\\]+$/);
      assert.ok(!hover.supportHtml && !hover.supportThemeIcons);
    });
  }

  it('hold no address that could take our own marks for its end', () => {
    for (const start of ['www.a.b', 'WWW.a.b', 'ftp://a.b', 'https://a.b/', 'http://a.b?x=']) {
      for (const text of [
        `${start}\`![x](https://evil.example/p.png)\``,
        `${start}**[y](command:quit)**`,
        `[${start}](x)`,
      ]) {
        const { value } = textHover(text, start);
        // Up to the next blank, such a start would be an address with all that follows.
        assert.doesNotMatch(value.replaceAll(/\]\([^()\s]*\)/g, ''), /www\.[^\s<]|(?<!\\):\/\/[^\s<]*[`*]/i, value);
        for (const [, code] of value.matchAll(/`([^`]*)`/g)) assert.match(code ?? '', /^ .* $/);
      }
    }
  });

  it('are Markdown in descriptions, comments and tasks, made anew', () => {
    const text = [
      '# Oven',
      '',
      'Use `bake`, **hot** and *long*: https://a.example/b_c',
      '',
      '1. rye',
      '   - dark',
      '2. spelt',
      '',
    ];
    const more = [
      '> said',
      '',
      '```',
      'bake --all',
      '```',
      '',
      '| a | b |',
      '|---|---|',
      '| c | d |',
      '',
      '![tray](https://a.example/t.png)',
    ];
    assert.equal(
      textHover([...text, ...more].join('\n'), 'Ana').value,
      [
        ...[
          '**Oven**',
          '',
          'Use ` bake `\\, **hot** and *long*\\: [https\\:\\/\\/a\\.example\\/b\\_c](https\\://a.example/b_c)',
          '',
        ],
        ...[
          '1. rye',
          '   - dark',
          '',
          '2. spelt',
          '',
          '> said',
          '>',
          '```',
          'bake \\--all'.replace('\\', ''),
          '```',
          '',
        ],
        ...['a · b', '', 'c · d', '', 'tray', '', '---', '', 'Ana'],
      ].join('\n'),
    );
  });

  it('are shown and spoken with the full name, so that it is found by any of its words', () => {
    const name = 'Let the baker see which orders have to be ready before the shop opens at six';
    const { accessibilityInformation, label } = treeItem(rowOf(aStory({ name, id: 37, estimate: 3 })), emptyTree);
    assert.match(accessibilityInformation?.label ?? '', new RegExp(`^Feature, unstarted, ${name}, 3 points`));
    assert.equal(label, `#37 ③ ${name}`);
  });

  for (const [what, expected] of [
    [{ estimate: 40 }, '#37 (40) Bake'],
    [{ estimate: -1 }, '#37 ◌ Bake'],
    [{ type: 'bug', estimate: -1 }, '#37 Bake'],
    [{ name: ' ', estimate: 2 }, '#37 ②'],
    [{ id: -3, estimate: 2 }, '② Bake'],
  ] as const) {
    it(`begin with number and points, as far as there are any: ${expected}`, () => {
      const { label } = treeItem(rowOf(aStory({ id: 37, name: 'Bake', ...what })), emptyTree);
      assert.equal(label, expected);
    });
  }

  it('say before all else that a story was not sent yet: a narrow side bar cuts the end off', () => {
    const unsent = Object.assign(aStory({ estimate: 2, state: 'started' }), { isUnsent: true });
    for (const story of [unsent, aStory({ id: -3, estimate: 2, state: 'started' })]) {
      assert.equal(treeItem(rowOf(story), emptyTree).description, 'not sent yet · started');
    }
  });

  it('are never more than an icon and text: VS Code draws no icons in labels of rows', () => {
    const { label } = treeItem(rowOf(aStory({ name: '$(flame) fire' })), emptyTree);
    assert.equal(typeof label, 'string');
    const { iconPath } = treeItem(rowOf(aStory({ type: '$(flame)', state: '$(flame)' })), emptyTree);
    assert.ok(typeof iconPath === 'object' && 'light' in iconPath && iconPath.light instanceof vscode.Uri);
    assert.match(iconPath.light.path, /\/media\/stories\/unknown-unknown\.light\.svg$/);
  });
});
