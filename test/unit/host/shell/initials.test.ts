import assert from 'node:assert/strict';
import { initialsOf } from '../../../../src/host/shell/plainText.ts';
import { aProject } from '../../../support/builders/builders.ts';

describe('initialsOf', () => {
  it('are those of the members list, else made from the name', () => {
    const project = aProject({
      memberships: [{ id: 1, role: 'Owner', person: { name: 'Ada Byron', initials: 'ADA' } }],
    });
    assert.equal(initialsOf('Ada Byron', project), 'ADA');
    assert.equal(initialsOf('Grace Hopper', project), 'GH');
    assert.equal(initialsOf('élodie', undefined), 'É');
    assert.equal(initialsOf('mia.keller@example.com', undefined), 'MKE');
  });
});
