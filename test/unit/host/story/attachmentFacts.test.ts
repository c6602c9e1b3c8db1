import assert from 'node:assert/strict';
import { attachmentDetails, attachmentFacts } from '../../../../src/host/story/attachmentFacts.ts';
import { anAttachment, without } from '../../../support/builders/builders.ts';

describe('what is told of an attachment', () => {
  const uploadedAt = { text: '2010/12/01 09:30:00 EST' };

  it('is its size, who uploaded it, and when', () => {
    const attachment = anAttachment({ size: 1536, uploadedBy: 'Bo', uploadedAt });
    assert.equal(attachmentFacts(attachment), '1.5 KB · Bo · 2010/12/01');
    assert.equal(attachmentDetails(attachment), '1.5 KB · Bo · 2010/12/01 09:30:00 EST');
    assert.match(attachmentFacts(anAttachment({ size: 0 })), /^0 B · /);
  });

  it('is nothing that the server does not tell', () => {
    assert.equal(
      attachmentFacts(anAttachment({ uploadedBy: 'Bo', uploadedAt: { text: 'yesterday' } })),
      'Bo · yesterday',
    );
    assert.equal(attachmentFacts(without(without(anAttachment(), 'uploadedBy'), 'uploadedAt')), '');
  });
});
