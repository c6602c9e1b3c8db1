import assert from 'node:assert/strict';
import { withoutIcons, withoutLinks } from '../../../src/host/plainText.ts';

describe('Text of others', () => {
  it('draws no icons', () => {
    assert.equal(withoutIcons('Use $(pwd), not $(trash) or $5'), 'Use \\$(pwd), not \\$(trash) or $5');
  });

  it('makes no links, and looks the same', () => {
    const text = 'See [here](command:workbench.action.quit) and [x] (y)';
    const shown = withoutLinks(text);
    assert.doesNotMatch(shown, /\]\(/);
    assert.equal(shown.replaceAll('\u2060', ''), text);
  });
});
