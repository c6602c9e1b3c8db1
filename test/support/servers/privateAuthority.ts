import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Identity {
  readonly key: Buffer;
  readonly cert: Buffer;
}

const KEY = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'.split(' ');

/** A certificate authority of the test's own, which nobody knows. */
export class PrivateAuthority {
  readonly folder = mkdtempSync(join(tmpdir(), 'authority-'));
  /** The PEM file of the authority. */
  readonly file = join(this.folder, 'authority.pem');
  private readonly keyFile = join(this.folder, 'authority.key');

  /** Throws where there is no openssl. */
  constructor() {
    this.openssl([
      'req',
      '-x509',
      ...KEY,
      '-days',
      '2',
      '-subj',
      '/CN=Test Authority',
      '-keyout',
      this.keyFile,
      '-out',
      this.file,
    ]);
  }

  /** Key and certificate of a server with these names. */
  identity(names: readonly string[], days = '2'): Identity {
    const [key, request, cert, extensions] = ['key', 'csr', 'pem', 'ext'].map((end) =>
      join(this.folder, `${names[0]}.${end}`),
    );
    if (!key || !request || !cert || !extensions) throw new Error('four files are named');
    const alternatives = names.map((name) => (/^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`));
    writeFileSync(extensions, `subjectAltName=${alternatives.join(',')}\n`);
    this.openssl(['req', ...KEY, '-subj', `/CN=${names[0]}`, '-keyout', key, '-out', request]);
    const signing = [
      '-CA',
      this.file,
      '-CAkey',
      this.keyFile,
      '-CAcreateserial',
      '-days',
      days,
      '-extfile',
      extensions,
    ];
    this.openssl(['x509', '-req', '-in', request, ...signing, '-out', cert]);
    return { key: readFileSync(key), cert: readFileSync(cert) };
  }

  /** Paths of a client's certificate, key, protected key, both together, and both in a protected file. */
  client(name: string, passphrase: string) {
    const path = (end: string) => join(this.folder, `${name}.${end}`);
    const [cert, key, request] = [path('pem'), path('key'), path('csr')];
    this.openssl(['req', ...KEY, '-subj', `/CN=${name}`, '-keyout', key, '-out', request]);
    const signing = ['-CA', this.file, '-CAkey', this.keyFile, '-CAcreateserial', '-days', '2'];
    this.openssl(['x509', '-req', '-in', request, ...signing, '-out', cert]);
    const [protectedKey, pfx] = [path('protected.key'), path('p12')];
    this.openssl(['pkcs8', '-topk8', '-in', key, '-out', protectedKey, '-passout', `pass:${passphrase}`]);
    this.openssl(['pkcs12', '-export', '-inkey', key, '-in', cert, '-out', pfx, '-passout', `pass:${passphrase}`]);
    const both = this.write(`${name}.both.pem`, this.read(cert) + this.read(key));
    return { cert, key, protectedKey, pfx, both };
  }

  read(file: string): string {
    return readFileSync(file, 'utf8');
  }

  /** Writes a file beside the authority's and gives its path. */
  write(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private openssl(parameters: readonly string[]): void {
    execFileSync('openssl', [...parameters], { stdio: 'ignore' });
  }
}
