import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readText } from '../../../src/v3/read.ts';
import { XmlError } from '../../../src/v3/xmlError.ts';
import * as any from './arbitraries.ts';
import { everyReader, survives } from './everyReader.ts';
import { fixture, fixtureNames } from './fixture.ts';
import { mutated, noise, seeded } from './mutations.ts';

describe('on arbitrary input reading throws nothing but its own error:', () => {
  it('bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void survives(() => readText(bytes))));
  });
  it('text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void survives(() => readText(text))),
    );
  });
  it('elements of any shape, for every resource', () => {
    fc.assert(fc.property(any.element, (element) => void survives(() => element)));
  });
  it('changed fixtures and noise', () => {
    const random = seeded(20_101);
    let understood = 0;
    for (let count = 0; count < 3000; count += 1) {
      const name = fixtureNames[count % fixtureNames.length] ?? 'story';
      if (survives(() => readText(mutated(fixture(name), random)))) understood += 1;
      survives(() => readText(noise(random)));
    }
    assert.ok(understood > 100, 'most changes should not be fatal, or the readers are not reached');
    assert.equal(Object.keys(Object.prototype).length, 0);
  });
  it('the check itself would see another error', () => {
    assert.throws(
      () =>
        survives(() => {
          throw new TypeError('seen');
        }),
      TypeError,
    );
    assert.equal(
      survives(() => {
        throw new XmlError('own');
      }),
      false,
    );
    assert.ok(everyReader.length > 20);
  });
});
