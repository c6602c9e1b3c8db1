import assert from 'node:assert/strict';
import { commentMarks, isComment } from '../../../../src/core/mentions/commentMarks.ts';
import {
  codeDescription,
  numberText,
  type Todo,
  todoIn,
  withoutMarks,
} from '../../../../src/features/codeStories/codeComments.ts';
import { growth } from '../../../support/measures/growth.ts';

const WORDS = ['TODO', 'FIXME', 'HACK'];

/** The line once the number is written at its note. */
function withNumber(line: string, { insertAt, around }: Todo, storyId: number): string {
  return line.slice(0, insertAt) + numberText(around, storyId) + line.slice(insertAt);
}

function assertTodo(line: string, text: string, numbered: string): void {
  it(`reads ${line}`, () => {
    const todo = todoIn(line, WORDS);
    assert.equal(todo?.text, text);
    assert.equal(todo && withNumber(line, todo, 12), numbered);
    assert.equal(todoIn(numbered, WORDS), undefined, 'has its number');
  });
}

function assertNone(line: string): void {
  it(`finds nothing in ${line}`, () => assert.equal(todoIn(line, WORDS), undefined));
}

describe('a note that something is to be done', () => {
  assertTodo('// TODO: heat the oven', 'heat the oven', '// TODO(#12): heat the oven');
  assertTodo('  foo(); // FIXME burns', 'burns', '  foo(); // FIXME(#12) burns');
  assertTodo('# TODO', '', '# TODO(#12)');
  assertTodo('#TODO - sift', 'sift', '#TODO(#12) - sift');
  assertTodo('  /* HACK: too hot */', 'too hot', '  /* HACK(#12): too hot */');
  assertTodo('   * TODO: knead', 'knead', '   * TODO(#12): knead');
  assertTodo('   * @TODO knead', 'knead', '   * @TODO(#12) knead');
  assertTodo('<!-- TODO: salt -->', 'salt', '<!-- TODO(#12): salt -->');
  assertTodo('-- TODO: index it', 'index it', '-- TODO(#12): index it');
  assertTodo('% FIXME: cite', 'cite', '% FIXME(#12): cite');
  assertTodo("' TODO port it", 'port it', "' TODO(#12) port it");
  assertTodo('(* TODO: prove *)', 'prove', '(* TODO(#12): prove *)');
  assertTodo('// TODO(anna): ask', 'ask', '// TODO(anna, #12): ask');
  assertTodo('// TODO(): ask', 'ask', '// TODO(#12): ask');
  assertTodo('- [ ] TODO buy flour', 'buy flour', '- [ ] TODO(#12) buy flour');
  assertTodo('TODO: buy flour', 'buy flour', 'TODO(#12): buy flour');

  assertNone('const TODO = 1;');
  assertNone('// see TODOS');
  assertNone('// todo: quiet');
  assertNone('// the TODO list');
  assertNone('// TODO(#7): known');
  assertNone('// TODO #7 known');
  assertNone('// TODO: [#7] known');
  assertNone('');

  it('is found by other words too, and by none', () => {
    assert.equal(todoIn('// later: sweep', ['later'])?.text, 'sweep');
    assert.equal(todoIn('// a+b: sweep', ['a+b'])?.text, 'sweep');
    assert.equal(todoIn('// TODO: sweep', ['']), undefined);
    assert.equal(todoIn('// TODO: sweep', []), undefined);
  });

  it('is looked for in a time that does not grow with the line', () => {
    for (const text of ['/', '* ', '#', '- ', '// TODO', '([ ] ', "'''"]) {
      const line = (size: number) => `${text.repeat(size)} TODO`;
      assert.ok(growth(20_000, line, (long) => todoIn(long, WORDS)) < 2.5, text);
    }
  });
});

describe('what a story says of its code', () => {
  it('is the file, the line and the code in a fence that it cannot leave', () => {
    const code = '    if (x) {\n      // TODO ``` `````\n    }\n';
    assert.equal(
      codeDescription('src/a.ts', 7, 'typescript', code),
      '`src/a.ts:7`\n\n``````typescript\nif (x) {\n  // TODO ``` `````\n}\n\n``````',
    );
  });

  it('names no language that is none, and cuts what is endless', () => {
    assert.match(codeDescription('a`b', 1, 'x\n# y', 'z'), /^`a'b:1`\n\n```\nz\n```$/);
    assert.ok(codeDescription('a', 1, '', 'x'.repeat(1_000_000)).length < 20_100);
  });

  it('has a name without the marks of comments', () => {
    for (const line of ['// heat', ' * heat', '/* heat */', '# heat', '<!-- heat -->', 'heat']) {
      assert.equal(withoutMarks(line), 'heat', line);
    }
  });
});

describe('the marks of comments', () => {
  it('are those of the language, else those that its lines have', () => {
    const marksOf = (language: string, ...lines: readonly string[]) => commentMarks(language, lines)?.join('…');
    assert.equal(marksOf('python'), '# …');
    assert.equal(marksOf('css'), '/* … */');
    assert.equal(marksOf('newlang', '-- a', '  -- b', '# c'), '-- …');
    assert.equal(marksOf('newlang', 'x', 'y'), undefined);
    assert.equal(marksOf('plaintext', '# heading'), undefined);
  });

  it('tell a comment from code', () => {
    for (const line of ['// a', '  # a', '-- a', '<!-- a', ' * a', '/* a']) assert.ok(isComment(line), line);
    for (const line of ['a // b', '#include', '*p = 1', '-->', '']) assert.ok(!isComment(line), line);
  });
});
