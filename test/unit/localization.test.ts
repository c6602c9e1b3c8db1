import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { translatableTexts } from '../support/texts/translatableTexts.ts';

type Texts = Readonly<Record<string, string>>;

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const textsOf = (path: string): Texts => JSON.parse(read(path));

const found = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => translatableTexts(`src/${name}`, read(`src/${name}`)));
const wanted = new Map(found.flatMap(({ texts }) => texts.map((one) => [one.key, one] as const)));

const german = textsOf('l10n/bundle.l10n.de.json');
const manifest = textsOf('package.nls.json');
const germanManifest = textsOf('package.nls.de.json');

const pairs: readonly (readonly [string, string])[] = [
  ...[...wanted.values()].map(({ key, text }) => [text, german[key] ?? text] as const),
  ...Object.entries(manifest).map(([key, text]) => [text, germanManifest[key] ?? text] as const),
];

/** What a translation takes over: placeholders, icons, code, names of settings, targets of links. */
const KEPT =
  /\{\d\}|\$\([\w-]+\)|\$\{\w+\}|#[\w.]+#|`[^`]+`|\]\([^)]+\)|\b(?:storyTracker|http)\.[\w.]*\w|https?:\/\/[\w.]+\w|\{ .+? \}/g;

function keptParts(text: string): readonly string[] {
  return (text.match(KEPT) ?? []).toSorted();
}

const commands = new Map(
  Object.entries(manifest).flatMap(([key, title]) => (key.startsWith('command.') ? [[title, key] as const] : [])),
);

/** Titles of commands, as a text names them: "Show Log", *Show Log* or "Story Tracker: Show Log". */
function namedCommands(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"(?:Story Tracker: )?([^"]+)"|\*([^*]+)\*/g)].map(([, one, other]) => one ?? other);
  return quoted.flatMap((title) => commands.get(title ?? '') ?? []);
}

function assertPairs(isGood: (text: string, translation: string) => boolean): void {
  const bad = pairs.filter(([text, translation]) => !isGood(text, translation));
  assert.equal(bad.length, 0, bad.map((pair) => pair.join(' → ')).join('\n'));
}

describe('translations', () => {
  it('are of texts that stand in the source as they are, not put together', () => {
    assert.ok(wanted.size > 1000);
    assert.deepEqual(
      found.flatMap(({ computed }) => computed),
      [],
    );
  });

  it('are given a value for each placeholder, and no other', () => {
    const calls = found.flatMap(({ texts }) => texts);
    const wrong = calls.filter(({ text, values }) => {
      const wanted = new Set(text.match(/\{\d+\}/g)).size;
      const isOpen = values.some((value) => value.startsWith('...'));
      return isOpen ? values.length > wanted : values.length !== wanted;
    });
    assert.deepEqual(
      wrong.map(({ path, line, text, values }) => `${path}:${line} ${text} ← ${values.join(', ')}`),
      [],
    );
  });

  it('are asked for when a text is needed, not while modules load', () => {
    assert.deepEqual(
      found.flatMap(({ early }) => early),
      [],
    );
  });

  it('are complete in German', () => {
    const missing = [...wanted.keys()].filter((key) => !Object.hasOwn(german, key));
    const lines = missing.map((key) => `  ${JSON.stringify(key)}: ${JSON.stringify(wanted.get(key)?.text)},`);
    assert.equal(missing.length, 0, `Put these, in German, into l10n/bundle.l10n.de.json:\n${lines.join('\n')}`);
  });

  it('hold nothing that the source no longer says', () => {
    const stale = Object.keys(german).filter((key) => !wanted.has(key));
    assert.equal(stale.length, 0, `Delete these from l10n/bundle.l10n.de.json:\n${stale.join('\n')}`);
  });

  it('stand in the order of the English texts, so that changes do not meet at the end', () => {
    const keys = Object.keys(german);
    assert.deepEqual(keys, keys.toSorted());
  });

  it('have the keys of the manifest, in its order', () => {
    assert.deepEqual(Object.keys(germanManifest), Object.keys(manifest));
  });

  it('keep placeholders, icons, code and links', () => {
    assertPairs((text, translation) => keptParts(text).join('\n') === keptParts(translation).join('\n'));
  });

  it('ask for more input where the English text does, and are sentences where it is one', () => {
    assertPairs((text, translation) => {
      const end = /[.?:]$/.exec(text)?.[0] ?? '';
      return translation.split('…').length === text.split('…').length && translation.endsWith(end);
    });
  });

  it('use German quotation marks', () => {
    assertPairs((_, translation) => !/[„“”]/.test(translation.replace(/„[^„“”]*“/g, '')));
  });

  it('name commands as the Command Palette does', () => {
    assertPairs((text, translation) =>
      namedCommands(text).every((key) => translation.includes(germanManifest[key] ?? '')),
    );
  });

  it('are found with their comment, and not where they are put together', () => {
    const source = [
      "const LATE = () => t('Late.');",
      "function late() { vscode.l10n.t('It\\'s {0}', 1) }",
      "const EARLY = { text: t({ message: 'Owner', comment: 'role' }) };",
      "export function all() { l10n.t('one' + two)",
      '  t(three)',
      '  split(four) }',
    ].join('\n');
    const { texts, computed, early } = translatableTexts('a.ts', source);
    assert.deepEqual(
      texts.map(({ key, text, line }) => [key, text, line]),
      [
        ['Late.', 'Late.', 1],
        ["It's {0}", "It's {0}", 2],
        ['Owner/role', 'Owner', 3],
      ],
    );
    assert.deepEqual(computed, ['a.ts:4', 'a.ts:5']);
    assert.deepEqual(early, ['a.ts:3']);
  });
});
