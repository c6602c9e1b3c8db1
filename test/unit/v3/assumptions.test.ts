import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as assumptions from '../../../src/v3/assumptions.ts';

const source = readFileSync(new URL('../../../src/v3/assumptions.ts', import.meta.url), 'utf8');

describe('what the document does not show', () => {
  it('is said to be so, entry by entry', () => {
    const documented = [...source.matchAll(/\/\*\* not shown: [^\n]+\*\/\nexport (?:const|function) (\w+)/g)].map(
      (match) => match[1],
    );
    assert.deepEqual(documented.sort(), Object.keys(assumptions).sort());
  });
  it('names', () => {
    assert.equal(assumptions.AUTHOR_ELEMENT, 'author');
    assert.deepEqual(assumptions.TOKEN_HEADERS, ['X-ServiceToken', 'X-TrackerToken']);
    assert.equal(assumptions.HOSTED_PAYLOAD_FIELD, 'payload');
    assert.equal(assumptions.EMPTY_LIST_ROOT, 'nil-classes');
    assert.equal(assumptions.START_DATE_TYPE, 'date');
    assert.deepEqual(assumptions.MEMBER_ROLES, ['Owner', 'Member', 'Viewer']);
    assert.equal(assumptions.RANK_ELEMENT, 'rank');
    assert.equal(assumptions.ORDER_DIGEST_ELEMENT, 'order_digest');
    assert.equal(assumptions.PENDING_ATTACHMENT, 'Pending');
    assert.equal(assumptions.ATTACHMENT_SIZE_ELEMENT, 'size');
    assert.equal(assumptions.DEFAULT_TICKET_PREFIX, 'other');
    assert.deepEqual(assumptions.ANY_TICKET_PREFIXES, ['other', 'external']);
    assert.equal(assumptions.ANSWER_CACHE_CONTROL, 'private, no-cache');
    assert.equal(assumptions.CHANGED_SINCE_STATUS, 412);
  });
  it('limits and times', () => {
    assert.equal(assumptions.DEFAULT_ACTIVITY_LIMIT, 10);
    assert.deepEqual(assumptions.ACTIVITY_LIMITS, { lowest: 1, highest: 100 });
    assert.equal(assumptions.DAY_STARTS_IN_UTC, 0);
    assert.equal(assumptions.DOWNLOAD_MINUTES, 10);
    assert.deepEqual(assumptions.GONE_VERSIONS, [1, 2]);
    assert.equal(assumptions.zoneOffset('EDT'), -240);
    assert.equal(assumptions.zoneOffset('IST'), undefined);
  });
  it('which element holds a ticket', () => {
    for (const name of ['jira_id', 'other_id', 'get_satisfaction_id'])
      assert.equal(assumptions.ticketPrefix(name), name.slice(0, -3));
    for (const name of ['id', '_id', 'project_id', 'integration_id', 'owned_by_id', 'jira_url'])
      assert.equal(assumptions.ticketPrefix(name), undefined, name);
  });
  it('how else paths, names and dates are sent', () => {
    for (const path of ['/projects', '/projects.xml', '/projects/'])
      assert.equal(assumptions.plainPath(path), '/projects');
    assert.equal(assumptions.plainPath('/projects.xml/'), '/projects.xml');
    assert.equal(assumptions.underscoredName('story-type'), 'story_type');
    assert.equal(assumptions.underscoredName('my-desk_id'), 'my-desk_id');
    assert.equal(assumptions.sentDate('"2026-04-05 12:00:00 UTC"'), '2026-04-05 12:00:00 UTC');
    assert.equal(assumptions.sentDate('2026/4/5\0 12:00:00 PST'), '2026/4/5  12:00:00 PST');
    assert.equal(assumptions.sentDate('2026-04-05T12:00:00 02:00'), '2026-04-05T12:00:00 +02:00');
    assert.equal(assumptions.sentDate('2026/04/05'), '2026/04/05');
    assert.equal(assumptions.FILTER_KEY_OF_ELEMENT.get('current_state'), 'state');
  });
  it('characters that XML cannot hold', () => {
    assert.equal(
      assumptions.replacedCharacters('a\u0000b\ud800c\ufffed\u{1F596}\t\n\r'),
      'a\ufffdb\ufffdc\ufffdd\u{1F596}\t\n\r',
    );
  });
});
