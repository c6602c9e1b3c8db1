import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import {
  crossingText,
  listMarkdown,
  nameMarkdown,
  paragraphs,
  storyMarkdown,
  textBlock,
} from '../../../../src/features/agents/confirmationTexts.ts';
import { aStory } from '../../../support/builders/builders.ts';

const html = (markdown: string) => new MarkdownIt({ html: true, linkify: true }).render(markdown);

describe('the questions before a tool changes something', () => {
  it('show names as they are, whatever markup is in them', () => {
    const name = '[Yes](command:workbench.action.quit) <b>x</b> **y** `z` https://evil.example $(zap)\n\n# head';
    const shown = html(storyMarkdown({ story: aStory({ id: 12, name }) }));
    const text = name.replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    assert.equal(shown, `<p><strong>#12</strong> “${text}”</p>\n`);
  });

  it('tell of the state that a move between backlog and icebox changes', () => {
    const [scheduled, other, iced] = ['unstarted', 'started', 'unscheduled'].map((state) => aStory({ state }));
    assert.ok(scheduled && other && iced);
    assert.equal(crossingText(scheduled, other), undefined);
    assert.equal(crossingText(iced, iced), undefined);
    assert.equal(crossingText(iced, other), 'This also changes the state from “unscheduled” to “unstarted”.');
    assert.equal(crossingText(scheduled, iced), 'This also changes the state from “unstarted” to “unscheduled”.');
  });

  it('cut long names, and turn no text', () => {
    assert.equal(nameMarkdown('x'.repeat(300)).length, 202);
    assert.ok(!nameMarkdown('a\u202eb').includes('\u202e'));
  });

  it('show a text whole in a block that it cannot end', () => {
    const text = 'one\n```\n# two\n````\nthree';
    const shown = html(paragraphs('Add:', textBlock(text), listMarkdown(['four'])));
    assert.equal(
      shown,
      `<p>Add:</p>\n<pre><code class="language-text">${text}\n</code></pre>\n<ul>\n<li>four</li>\n</ul>\n`,
    );
  });
});
