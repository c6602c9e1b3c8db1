import assert from 'node:assert/strict';
import { publicUrlOf } from '../../../../src/service/http/hostNames.ts';

describe('a public address', () => {
  assertParts('https://Example.org/tracker/', [
    'https://example.org/tracker',
    'https://example.org',
    'example.org',
    '/tracker',
  ]);
  assertParts('http://example.org:8080', ['http://example.org:8080', 'http://example.org:8080', 'example.org', '']);
  assertParts('https://example.org:443/a/b', ['https://example.org/a/b', 'https://example.org', 'example.org', '/a/b']);
  for (const wrong of [
    'example.org',
    'ftp://example.org',
    'https://ada:x@example.org',
    'https://x/?q',
    'https://x/#h',
    'https://x/a%20b',
  ]) {
    assertParts(wrong, undefined);
  }
});

function assertParts(text: string, expected: readonly string[] | undefined): void {
  it(`${text} is ${expected?.join(' | ') ?? 'none'}`, () => {
    const url = publicUrlOf(text);
    assert.deepEqual(url && [url.href, url.origin, url.hostname, url.path], expected);
  });
}
