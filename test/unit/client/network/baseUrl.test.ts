import assert from 'node:assert/strict';
import { retryAfter } from '../../../../src/client/http/pace.ts';
import { addressOf, isInsecure, parseBaseUrl } from '../../../../src/client/network/baseUrl.ts';

describe('the address of a server', () => {
  it('may have a port and a sub-path', () => {
    for (const text of [
      'https://t.example:8443/a/b',
      ' https://t.example:8443/a/b/ ',
      'https://t.example:8443/a/b//',
    ]) {
      assert.equal(
        addressOf(parseBaseUrl(text), '/services/v3/projects').href,
        'https://t.example:8443/a/b/services/v3/projects',
      );
    }
    assert.equal(
      addressOf(parseBaseUrl('http://[::1]:3000'), '/x', new URLSearchParams({ a: 'b c' })).href,
      'http://[::1]:3000/x?a=b+c',
    );
  });
  it('is insecure without TLS, but for this machine', () => {
    for (const safe of [
      'https://t.example',
      'http://localhost:3000',
      'http://a.localhost',
      'http://127.0.0.1',
      'http://127.8.9.10',
      'http://[::1]:1',
      'http://2130706433',
    ]) {
      assert.equal(isInsecure(safe), false, safe);
    }
    for (const unsafe of [
      'http://t.example',
      'http://localhost.example',
      'http://127.0.0.1.example',
      'http://notlocalhost',
      'http://10.0.0.1',
      'http://[::2]',
      'http://0.0.0.0',
    ]) {
      assert.equal(isInsecure(unsafe), true, unsafe);
    }
  });
  it('Retry-After is read in seconds and as a date', () => {
    const now = Date.UTC(2010, 4, 19, 12);
    assert.equal(retryAfter('12', now), 12_000);
    assert.equal(retryAfter('Wed, 19 May 2010 12:00:30 GMT', now), 30_000);
    assert.equal(retryAfter('Wed, 19 May 2010 11:00:00 GMT', now), 0);
    assert.equal(retryAfter('soon', now), undefined);
    assert.equal(retryAfter(undefined, now), undefined);
  });
});
