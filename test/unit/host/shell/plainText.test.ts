import assert from 'node:assert/strict';
import { withoutIcons, withoutLinks } from '../../../../src/host/shell/plainText.ts';

describe('Text of others', () => {
  it('draws no icons', () => {
    const text = 'Use $(pwd), not $(trash) or $5';
    const shown = withoutIcons(text);
    assert.doesNotMatch(shown, /\$\(/);
    assert.equal(shown.replaceAll('\u2060', ''), text);
  });

  it('makes no links, and looks the same', () => {
    const text = 'See [here](command:workbench.action.quit) and [x] (y)';
    const shown = withoutLinks(text);
    assert.doesNotMatch(shown, /\]\(/);
    assert.equal(shown.replaceAll('\u2060', ''), text);
  });
});
