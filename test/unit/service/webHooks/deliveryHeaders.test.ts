import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { deliveryHeaders } from '../../../../src/service/webHooks/postActivity.ts';

describe('the headers of a delivery', () => {
  const sent = { deliveryId: 'd-1', now: 1_800_000_000_999, body: '<activity/>\n', secret: undefined };

  it('tell the delivery and when it was sent', () => {
    assert.deepEqual(deliveryHeaders(sent), { 'X-ServiceDelivery': 'd-1', 'X-ServiceTime': '1800000000' });
  });

  it('are signed with the secret of the project, over delivery, time and body', () => {
    const expected = createHmac('sha256', 'kept between us').update('d-1.1800000000.<activity/>\n').digest('hex');
    const signed = (more: object) =>
      deliveryHeaders({ ...sent, secret: 'kept between us', ...more })['X-ServiceSignature'];
    assert.equal(signed({}), `sha256=${expected}`);
    for (const other of [{ deliveryId: 'd-2' }, { now: 0 }, { body: '<activity />\n' }, { secret: 'another' }]) {
      assert.notEqual(signed(other), `sha256=${expected}`);
    }
  });

  it('are right for letters of all kinds', () => {
    const { 'X-ServiceSignature': signature } = deliveryHeaders({ ...sent, body: 'für 🌍', secret: 'schlüssel' });
    const expected = createHmac('sha256', Buffer.from('schlüssel')).update(Buffer.from('d-1.1800000000.für 🌍'));
    assert.equal(signature, `sha256=${expected.digest('hex')}`);
  });
});
