import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../src/service/', import.meta.url));
/** Statements put together from texts: everything else is a parameter, which no value can get out of. */
const MADE_OF_TEXTS = /\bsql\.(?:raw|lit)\b|\.(?:exec|prepare|query|run)\(\s*(?:`[^`]*\$\{|['"`][^'"`]*['"`]\s*\+)/g;
/** Of constants of the service. */
const KNOWN = ['.exec(`begin ${'];

describe('SQL of the service', () => {
  it('takes values as parameters only', () => {
    const files = globSync('**/*.ts', { cwd: root });
    assert.ok(files.length > 100);
    for (const file of files) {
      const found = readFileSync(`${root}${file}`, 'utf8').match(MADE_OF_TEXTS) ?? [];
      assert.deepEqual(
        found.filter((text) => !KNOWN.includes(text)),
        [],
        file,
      );
    }
  });
});
