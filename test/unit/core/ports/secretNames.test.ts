import assert from 'node:assert/strict';
import { isSecretName } from '../../../../src/core/ports/secretLines.ts';

function assertSecret(isSecret: boolean, ...names: readonly string[]): void {
  for (const name of names)
    it(`${name} is ${isSecret ? 'a' : 'no'} secret`, () => assert.equal(isSecretName(name), isSecret));
}

describe('names of files with secrets', () => {
  assertSecret(true, '.env', '.env.local', '.env.production', 'deep/er/.env', '.ENV', 'C:\\work\\.env');
  assertSecret(
    true,
    'id_rsa',
    'id_ed25519',
    'id_ecdsa_sk',
    '.npmrc',
    '.pypirc',
    '.netrc',
    '_netrc',
    '.git-credentials',
  );
  assertSecret(
    true,
    'kubeconfig',
    'prod.kubeconfig',
    '.kube/config',
    '/home/ada/.aws/credentials',
    'cert.p12',
    'a.ppk',
  );
  assertSecret(true, 'prod.env', 'docker/db.env', '.envrc');
  assertSecret(false, 'example.env', 'app.sample.env', 'template.env');
  assertSecret(false, '.env.example', '.env.sample', 'env', 'my.env.ts', 'environment.ts', 'dotenv', 'id_rsa.pub');
  assertSecret(false, 'config', 'src/config', 'credentials', 'config.json', 'npmrc.md', 'key.pem', 'kubeconfig.ts');
});
