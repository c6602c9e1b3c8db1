import assert from 'node:assert/strict';
import type { Log } from '../../src/core/log.ts';
import { negotiate, ownModules } from '../../src/host/engine/ownModules.ts';

describe('Kerberos by the means of VS Code', () => {
  it('is none without a ticket, and the log tells why', async () => {
    const warnings: string[] = [];
    const note = () => undefined;
    const log: Log = { debug: note, info: note, warn: (message) => void warnings.push(String(message)), error: note };
    assert.equal(await negotiate('proxy.test', log), undefined);
    assert.match(warnings.join(), /^(This VS Code has no Kerberos\.|Kerberos for the proxy proxy\.test: .+)$/);
  });

  it('is looked for among the modules that VS Code brings along, which may lack any', () => {
    assert.deepEqual(ownModules('no-such-module'), []);
    assert.equal(ownModules('@vscode/proxy-agent').length, 1);
  });
});
