import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { readTls, troubleWithAge } from '../../../../src/service/http/tls.ts';
import { type Identity, PrivateAuthority } from '../../../support/servers/privateAuthority.ts';

const DAY = 86_400_000;

describe('a certificate and its key', () => {
  let authority: PrivateAuthority;
  let identity: Identity;
  let cert: string;
  let key: string;

  before(() => {
    authority = new PrivateAuthority();
    identity = authority.identity(['server.example.org']);
    cert = authority.write('server.crt', identity.cert.toString());
    key = authority.write('server.key', identity.key.toString());
  });
  after(() => authority.remove());

  it('are taken together, and from one file with both', async () => {
    assert.deepEqual(await readTls({ cert, key }), identity);
    const both = authority.write('both.pem', `${identity.key}${identity.cert}`);
    await readTls({ cert: both, key: both });
  });

  it('are refused when the key is of another certificate, or of another kind, which TLS would find out with its first caller', async () => {
    const other = authority.write('other.key', authority.identity(['other.example.org']).key.toString());
    await assert.rejects(readTls({ cert, key: other }), /other\.key is not the key of the first certificate/);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rsa = authority.write('rsa.key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    await assert.rejects(readTls({ cert, key: rsa }), /rsa\.key is not the key of the first certificate/);
  });

  it('are refused with the file that is wrong, and what to do about a key that is encrypted', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const cipher = { cipher: 'aes-256-cbc', passphrase: 'secret' };
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem', ...cipher }).toString();
    const encrypted = authority.write('encrypted.key', pem);
    const text = authority.write('text.pem', 'text');
    await assert.rejects(readTls({ cert, key: encrypted }), /encrypted\.key is encrypted.*openssl pkey -in/);
    await assert.rejects(readTls({ cert: text, key }), /text\.pem is not a certificate in PEM format/);
    await assert.rejects(readTls({ cert: key, key }), /server\.key is not a certificate in PEM format/);
    await assert.rejects(readTls({ cert, key: text }), /text\.pem is not a key in PEM format/);
    await assert.rejects(readTls({ cert, key: join(authority.folder, 'nowhere') }), /nowhere cannot be read/);
  });

  it('are old a week before their end, and nobody trusts them after it or too early', () => {
    const { cert: pem, key: none } = authority.identity(['year.example.org'], '365');
    const trouble = (days: number) => troubleWithAge({ cert: pem, key: none }, Date.now() + days * DAY);
    assert.equal(trouble(1), undefined);
    assert.match(trouble(360) ?? '', /expires on .* GMT\. Renew it/);
    assert.match(trouble(366) ?? '', /expired on .*Clients reject it/);
    assert.match(trouble(-2) ?? '', /is not valid until .*Clients reject it until then/);
  });
});
