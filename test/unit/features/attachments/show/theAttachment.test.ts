import assert from 'node:assert/strict';
import { openableAddress } from '../../../../../src/features/attachments/show/theAttachment.ts';

describe('openableAddress', () => {
  it('takes web addresses as they are', () => {
    assert.equal(openableAddress('https://x.example/f?sig=1', undefined), 'https://x.example/f?sig=1');
    assert.equal(openableAddress('http://127.0.0.1:8080/f', undefined), 'http://127.0.0.1:8080/f');
  });

  it('reads a relative address from the story’s page', () => {
    assert.equal(openableAddress('/files/7', 'https://x.example/story/1'), 'https://x.example/files/7');
  });

  it('opens nothing but the web', () => {
    for (const address of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'vscode://x.y/run',
      'data:text/html,x',
      'command:x',
    ]) {
      assert.equal(openableAddress(address, 'https://x.example/'), undefined, address);
    }
  });

  it('has none where there is none', () => {
    assert.equal(openableAddress(undefined, 'https://x.example/'), undefined);
    assert.equal(openableAddress('', 'https://x.example/'), undefined);
    assert.equal(openableAddress('/files/7', undefined), undefined);
    assert.equal(openableAddress('http://', undefined), undefined);
  });
});
