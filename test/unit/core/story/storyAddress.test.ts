import assert from 'node:assert/strict';
import { addressesIn, lastNumber, storyIdInLink, storyIdOnServer } from '../../../../src/core/story/storyAddress.ts';

function assertAddresses(text: string, expected: readonly string[]): void {
  it(`${JSON.stringify(text)}: ${expected.length}`, () => assert.deepEqual(addressesIn(text), expected));
}

function assertStory(address: string, baseUrl: string, expected?: number): void {
  it(`${address} on ${baseUrl}: ${expected}`, () => assert.equal(storyIdOnServer(address, baseUrl), expected));
}

describe('the addresses of which a text consists', () => {
  assertAddresses('https://a.example/story/show/12\n', ['https://a.example/story/show/12']);
  assertAddresses(' https://a.example/1\r\nhttps://a.example/2 ', ['https://a.example/1', 'https://a.example/2']);
  assertAddresses('See https://a.example/1', []);
  assertAddresses('', []);
  assertAddresses('12', []);
  assertAddresses(`${'https://a.example/1\n'.repeat(21)}`, []);
});

describe('the story of a page on a server', () => {
  const base = 'https://tracker.example:8443/team/';
  assertStory('https://tracker.example:8443/team/story/show/12', base, 12);
  assertStory('https://tracker.example:8443/team/projects/3/stories/12/', base, 12);
  assertStory('https://tracker.example:8443/team/stories/12?note=4#comments', base, 12);
  assertStory('http://127.0.0.1:7000/story/show/12', 'http://127.0.0.1:7000', 12);
  assertStory('https://tracker.example/team/story/show/12', base);
  assertStory('https://tracker.example:8443/story/show/12', base);
  assertStory('https://tracker.example:8443/teams/story/show/12', base);
  assertStory('https://tracker.example:8443.attacker.example/team/story/show/12', base);
  assertStory('https://tracker.example:8443/team/projects/12', base);
  assertStory('https://tracker.example:8443/team/story/show/0', base);
  assertStory('https://tracker.example:8443/team/story/show/12/edit', base);
  assertStory('no address', base);
});

describe('the story of a link into an editor', () => {
  for (const [link, id] of [
    ['vscode://story-tracker.story-tracker/story/12', 12],
    ['vscode-insiders://story-tracker.story-tracker/story/12', 12],
    ['vscode://other.extension/story/12', undefined],
    ['vscode://story-tracker.story-tracker/story/12?more', undefined],
  ] as const) {
    it(`${link}: ${id}`, () => assert.equal(storyIdInLink(link), id));
  }
});

it('the number at the end of an address is found whatever the path', () => {
  assert.equal(lastNumber('https://a.example/app/cards/12#top'), 12);
  assert.equal(lastNumber('https://a.example/12/edit'), undefined);
});
