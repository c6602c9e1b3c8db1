import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { builtBundles, thirdPartyLicenses } from '../thirdPartyLicenses.ts';

/** A file of the archive, by its path in it. */
interface PackedFile {
  readonly path: string;
  readonly content: Buffer;
  readonly isProgram?: boolean;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Of the service, among what is built. */
export const SERVICE_PARTS = [
  'service.js',
  'commands.js',
  'postgres.js',
  'mail.js',
  'mailReader.js',
  'bucket.js',
  'mcp.js',
  'xml.js',
];
/** What lies in this folder for the archive. */
const OWN_FILES = ['README.md', 'bin', 'systemd', 'container'];
/** For who sets it up and runs it. */
const PAGES = ['docs/team.md', 'docs/operating.md'];
const NAME = 'story-tracker-service';
const NODE = '>=24';

/** Writes the archive of what was built last into a folder, and tells its path. */
export function writeServicePackage(folder: string): string {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = {
    name: NAME,
    version,
    description: 'The Story Tracker service: the tracking API (v3) for a team',
    license,
    engines: { node: NODE },
    bin: { [NAME]: `bin/${NAME}` },
  };
  const isShipped = (path: string) => SERVICE_PARTS.includes(basename(path));
  const licenses = thirdPartyLicenses(root, builtBundles(root), isShipped);
  const files: readonly PackedFile[] = [
    { path: 'package.json', content: Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`) },
    { path: 'LICENSE', content: readFileSync(join(root, 'LICENSE')) },
    { path: 'THIRD-PARTY-LICENSES.txt', content: Buffer.from(licenses) },
    ...PAGES.map((path) => ({ path, content: readFileSync(join(root, path)) })),
    ...ownFiles(),
    ...SERVICE_PARTS.map((part) => ({ path: `lib/${part}`, content: readFileSync(join(root, 'dist', part)) })),
  ];
  const path = join(folder, `${NAME}-${version}.tgz`);
  writeFileSync(path, gzipSync(tarOf(`${NAME}-${version}`, files), { level: 9 }));
  return path;
}

function ownFiles(): readonly PackedFile[] {
  const folder = join(root, 'scripts/servicePackage');
  const within = OWN_FILES.flatMap((name) =>
    statSync(join(folder, name)).isDirectory()
      ? readdirSync(join(folder, name)).map((file) => `${name}/${file}`)
      : name,
  );
  return within.map((path) => ({
    path,
    content: readFileSync(join(folder, path)),
    isProgram: path.startsWith('bin/'),
  }));
}

const BLOCK = 512;

/** The files as a tar archive in the ustar format, below one folder. The same files give the same bytes. */
function tarOf(folder: string, files: readonly PackedFile[]): Buffer {
  const parts = files.flatMap(({ path, content, isProgram = false }) => {
    const head = tarHead(`${folder}/${path}`, content.length, isProgram ? 0o755 : 0o644);
    return [head, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function tarHead(name: string, size: number, mode: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for the archive.`);
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  head.write(name, 0);
  head.write(octal(mode, 7), 100);
  head.write(octal(0, 7), 108);
  head.write(octal(0, 7), 116);
  head.write(octal(size, 11), 124);
  head.write(octal(499_162_500, 11), 136); // As in packages of npm: a moment that is the same for all.
  head.write('0', 156);
  head.write('ustar', 257);
  head.write('00', 263);
  head.write('root', 265);
  head.write('root', 297);
  head.write(' '.repeat(8), 148); // The sum is of the head with spaces in its own place.
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}
