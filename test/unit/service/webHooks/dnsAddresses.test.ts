import assert from 'node:assert/strict';
import { dnsAddresses } from '../../../../src/service/webHooks/nameLookups.ts';
import { eventually } from '../../../support/eventually.ts';
import { NameServer } from '../../../support/servers/nameServer.ts';

describe('addresses from name servers', () => {
  let server: NameServer;

  beforeEach(async () => {
    server = await NameServer.start({ 'one.test': ['127.0.0.1'], 'two.test': ['10.0.0.1', '10.0.0.2'] });
  });
  afterEach(() => server.close());

  const found = async (name: string) =>
    (await dnsAddresses(name, [server.address])).map(({ address }) => address).sort();

  it('are all that a name has, and none where it has none or is unknown', async () => {
    assert.deepEqual(await found('one.test'), ['127.0.0.1']);
    assert.deepEqual(await found('two.test'), ['10.0.0.1', '10.0.0.2']);
    assert.deepEqual(await found('nobody.test'), []);
    assert.deepEqual(new Set(server.asked), new Set(['one.test', 'two.test', 'nobody.test']));
  });

  it('are none where there is no name server', async () => {
    const away = await NameServer.start();
    const { address } = away;
    await away.close();
    assert.deepEqual(await dnsAddresses('one.test', [address]), []);
  });

  it('fail with what the name server says of its trouble', async () => {
    await assert.rejects(found('x.failing.test'), { code: 'ESERVFAIL' });
  });

  it('come while the servers of many other names keep silent', async () => {
    let given = 0;
    const names = Array.from({ length: 50 }, (_, index) => `n${index}.silent.test`);
    const silent = names.map((name) => found(name).finally(() => (given += 1)));
    await eventually(() => assert.equal(server.asked.length, 2 * names.length));
    assert.deepEqual(await found('one.test'), ['127.0.0.1']);
    assert.equal(given, 0);
    server.speak();
    assert.deepEqual((await Promise.all(silent)).flat(), []);
  });
});
