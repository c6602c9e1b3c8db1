import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { SecretLines } from '../../../../src/core/ports/secretLines.ts';

// Put together here, so that no scanner takes this file for a leak.
const letters = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzAbCdEfGhIjKlMnOpQrStUvWxYz';
const like = (head: string, length: number) => head + letters.repeat(3).slice(0, length);
const upper = 'QWERTYUIOPASDFGH';
const KEY_TEXT = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7';

function found(text: string): readonly string[] {
  const lines = new SecretLines();
  return text.split('\n').flatMap((line) => lines.take(line).map(({ kind, line: at }) => `${kind} ${at}`));
}

function assertFound(text: string, ...expected: readonly string[]): void {
  it(`${JSON.stringify(text.slice(0, 70))} → ${expected.join(', ') || 'nothing'}`, () =>
    assert.deepEqual(found(text), expected));
}

describe('secrets in a text', () => {
  for (const make of ['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED '])
    assertFound(`# a\n-----BEGIN ${make}PRIVATE KEY-----\n${KEY_TEXT}\n`, 'privateKey 2');
  assertFound(`-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 2\n\n${KEY_TEXT}`, 'privateKey 1');
  assertFound(`---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "k"\n${KEY_TEXT}`, 'privateKey 1');
  assertFound(
    `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${KEY_TEXT}`,
    'privateKey 1',
  );
  assertFound('PuTTY-User-Key-File-3: ssh-ed25519', 'privateKey 1');
  assertFound(`{"key": "-----BEGIN PRIVATE KEY-----\\n${KEY_TEXT}\\n"}`, 'privateKey 1');
  assertFound(`  key: |\r\n    -----BEGIN PRIVATE KEY-----\r\n    ${KEY_TEXT}\r`, 'privateKey 2');
  assertFound(`AWS_ACCESS_KEY_ID=AKIA${upper}`, 'awsKey 1');
  assertFound(`aws_secret_access_key = ${like('', 40)}`, 'awsKey 1');
  assertFound(`token: ${like('ghp_', 36)}`, 'githubToken 1');
  assertFound(`\n"${like('github_pat_', 82)}"`, 'githubToken 2');
  assertFound(`x=${like('glpat-', 20)}`, 'gitlabToken 1');
  assertFound(`x=${like('xoxb-1', 30)}`, 'slackToken 1');
  assertFound(`https://hooks.slack.com/services/T0ABCDEFG/B0ABCDEFG/${like('', 24)}`, 'slackToken 1');
  assertFound(`//registry.example.org/:_authToken=${like('', 30)}`, 'npmToken 1');
  assertFound(like('npm_', 36), 'npmToken 1');
  assertFound(like('pypi-AgE', 60), 'pypiToken 1');
  assertFound(like('AIza', 35), 'googleKey 1');
  assertFound(like('sk_live_', 24), 'stripeKey 1');
  assertFound(`Bearer ${like('eyJ', 20)}.${like('eyJ', 40)}.${like('', 43)}`, 'jwt 1');
  assertFound(`curl -H "X-TrackerToken: ${like('', 32)}"`, 'trackerToken 1');
  assertFound(`'X-ServiceToken': '${like('', 40)}'`, 'trackerToken 1');
  assertFound(`https://t.example.org/services/v3/github_commits?token=${like('', 40)}`, 'trackerToken 1');
  assertFound(`[remote "origin"]\n\turl = https://ada:${like('', 12)}@git.example.org/a.git`, 'password 2');
  assertFound(`postgres://ada:${like('p%2F!', 3)}@db/notes`, 'password 1');
  assertFound(`\textraheader = AUTHORIZATION: basic ${like('', 32)}==`, 'authorization 1');
  assertFound(`{"Authorization": "Bearer ${like('', 43)}"}`, 'authorization 1');

  assertFound(`-----BEGIN PUBLIC KEY-----\n${KEY_TEXT}\n-----BEGIN CERTIFICATE-----\n${KEY_TEXT}`);
  assertFound("if (text.startsWith('-----BEGIN PRIVATE KEY-----')) refuse();\nconst other = 1;");
  assertFound('-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----');
  assertFound(`AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`);
  assertFound('GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\ntoken: glpat-XXXXXXXXXXXXXXXXXXXX');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what such files hold
  assertFound('//registry.npmjs.org/:_authToken=${NPM_TOKEN}\nX-TrackerToken: <your token>');
  assertFound(`X-TrackerToken: $TOKEN\nsha1 ${'0a1b2c3d'.repeat(5)}\nnpm_config_registry_of_the_house_of_everything`);
  assertFound(`"integrity": "sha512-${like('', 86)}=="`);

  assertFound('https://user:password@git.example.org/a.git\nssh://git@git.example.org:22/a.git');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what such files hold
  assertFound('https://ada:${PASSWORD}@git.example.org\nhttps://ada:<password>@git.example.org\nhttp://a:80/b@c');
  assertFound('Authorization: Bearer <token>\nAuthorization: Basic $TOKEN');

  it('finds keys that programs made', () => {
    const folder = mkdtempSync(join(tmpdir(), 'story-tracker-keys-'));
    try {
      for (const type of ['pkcs1', 'pkcs8'] as const) {
        const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
        assert.deepEqual(found(privateKey.export({ type, format: 'pem' }).toString()), ['privateKey 1']);
        assert.deepEqual(found(publicKey.export({ type: 'spki', format: 'pem' }).toString()), []);
      }
      if (spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]).status !== 0) return;
      assert.deepEqual(found(readFileSync(join(folder, 'key'), 'utf8')), ['privateKey 1']);
      assert.deepEqual(found(readFileSync(join(folder, 'key.pub'), 'utf8')), []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('shows no more than the beginning of what it found', () => {
    const secret = like('ghp_', 36);
    const [finding] = new SecretLines().take(`token = ${secret}`);
    assert.deepEqual(finding, { kind: 'githubToken', line: 1, masked: 'ghp_…' });
    const [short] = new SecretLines().take('ftp://ada:hunter@example.org');
    assert.deepEqual(short, { kind: 'password', line: 1, masked: 'h…' });
  });

  it('leaves ordinary source in peace: its own, and what libraries bring', () => {
    const root = join(import.meta.dirname, '../../../..');
    const listed = execFileSync('git', ['ls-files', '-z', 'src', 'package-lock.json', 'README.md'], { cwd: root });
    const own = listed.toString().split('\0').filter(Boolean);
    const brought = globSync('node_modules/{saxes,fast-xml-parser,undici,markdown-it,kysely}/**/*.{js,ts,md,json}', {
      cwd: root,
    }).slice(0, 1500);
    const hits = [...own, ...brought].flatMap((path) =>
      found(readFileSync(join(root, path), 'utf8')).map((one) => `${path}: ${one}`),
    );
    assert.deepEqual(hits, []);
    assert.ok(own.length > 300 && brought.length > 300);
  });

  it('finds a token wherever it stands in a line, and never in noise', () => {
    const around = fc.string({ maxLength: 200 }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(around, around, (before, after) => {
        assert.ok(found(`${before} ${like('ghp_', 36)} ${after}`).includes('githubToken 1'));
      }),
    );
    const noise = randomBytes(1_000_000).toString('latin1');
    assert.deepEqual(found(noise), []);
    assert.deepEqual(found(randomBytes(300_000).toString('base64')), []);
  });

  it('takes no longer for hostile lines', () => {
    for (const piece of [
      'eyJaaaaaaaaaa.',
      '-----BEGIN ',
      'aws_secret_access_key=',
      ':_authToken=',
      'xoxb-1',
      '://a',
      '://a:b',
      'authorization: basic ',
      'a',
    ])
      assert.ok(found(piece.repeat(8192 / piece.length)).length <= 1, piece);
  });
});
