import assert from 'node:assert/strict';
import { serverAddressOf } from '../../../../src/features/account/serverAddress.ts';

function assertAddress(typed: string, baseUrl: string | undefined, isExposed = false): void {
  const address = serverAddressOf(typed);
  assert.equal(address?.baseUrl, baseUrl, typed);
  if (address) assert.equal(address.isExposed, isExposed, typed);
}

describe('serverAddressOf', () => {
  it('takes https for granted, and http on this machine', () => {
    assertAddress('tracker.example.com', 'https://tracker.example.com');
    assertAddress('  tracker.example.com:8443/  ', 'https://tracker.example.com:8443');
    assertAddress('localhost:8080', 'http://localhost:8080');
    assertAddress('127.0.0.1:9', 'http://127.0.0.1:9');
    assertAddress('[::1]:9', 'http://[::1]:9');
  });

  it('keeps a sub-path and drops the path of the API', () => {
    assertAddress('https://example.com/tracker/', 'https://example.com/tracker');
    assertAddress('https://example.com/tracker/services/v3', 'https://example.com/tracker');
    assertAddress('https://example.com/services/v3/projects/7?x=1#y', 'https://example.com');
  });

  it('says when anyone on the way could read along', () => {
    assertAddress('http://tracker.example.com', 'http://tracker.example.com', true);
    assertAddress('http://localhost.example.com', 'http://localhost.example.com', true);
    assertAddress('http://127.0.0.1.example.com', 'http://127.0.0.1.example.com', true);
    assertAddress('http://tracker.localhost', 'http://tracker.localhost', false);
  });

  it('takes nothing else for an address', () => {
    for (const typed of ['', ' ', 'https://', 'ftp://example.com', 'javascript:alert(1)', 'two words', 'file:///etc'])
      assertAddress(typed, undefined);
    assertAddress('https://user:secret@example.com', undefined);
  });

  it('names the server as people do', () => {
    assert.equal(serverAddressOf('https://example.com:8443/tracker')?.name, 'example.com:8443/tracker');
  });
});
