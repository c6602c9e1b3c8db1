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
    assert.equal(assumptions.ANSWER_CACHE_CONTROL, 'private, no-cache');
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
  it('characters that XML cannot hold', () => {
    assert.equal(
      assumptions.replacedCharacters('a\u0000b\ud800c\ufffed\u{1F596}\t\n\r'),
      'a\ufffdb\ufffdc\ufffdd\u{1F596}\t\n\r',
    );
  });
});
