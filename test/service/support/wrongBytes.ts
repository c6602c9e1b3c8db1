import type { Seeded } from '../../support/measures/seeded.ts';
import type { WrongRequest } from './wrongRequest.ts';

const LINES = [
  ...[
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 1e3',
    'Content-Length: 99999999999999999999',
    'Content-Length: 5, 5',
  ],
  ...[
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: \vchunked',
    'Expect: 100-continue',
  ],
  ...[
    'Expect: nonsense',
    'Host: evil.example',
    'Host: localhost',
    'Host:',
    'Host: [::1',
    'Host: localhost:99999',
    'Host: a b',
  ],
  ...[
    'Origin: null',
    'Origin: http://[',
    'Sec-Fetch-Site: cross-site',
    'Upgrade: websocket',
    'Connection: upgrade',
    'Connection: close',
  ],
  ...[
    'X-ServiceToken: \u00ff',
    ' folded',
    'No colon',
    ': no name',
    'A: \0',
    'Trailer: X',
    'Content-Type:',
    'TE: trailers',
  ],
];

const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  '%',
  '?',
  '#',
  '\u00ff',
  '0\r\n\r\n',
  'ffffffffffffffffff\r\n',
  '5;a=b\r\n',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/11', ''];

/** A request as bytes that were tampered with: lines added, cut, doubled; lengths that lie; bytes that are none. */
export function wrongBytes(chance: Seeded, host: string, token: string, request: WrongRequest): Buffer {
  const target = request.path.replace(/[^\x21-\x7e]/g, '?');
  const lines = [
    `${request.method} ${target} ${chance.of(VERSIONS)}`,
    ...(chance.chance(8) ? [] : [`Host: ${host}`]),
    ...(chance.chance(3) ? [] : [`X-ServiceToken: ${token}`]),
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value.replace(/[\r\n]/g, ' ')}`),
    ...(chance.chance(3) ? [] : [`Content-Length: ${Buffer.byteLength(request.body)}`]),
  ];
  for (let times = chance.below(3); times > 0; times -= 1) {
    lines.splice(1 + chance.below(lines.length), 0, chance.of(LINES) ?? '');
  }
  if (chance.chance(40)) lines.push(...Array.from({ length: 3_000 }, (_, at) => `X-${at}: ${at}`));
  if (chance.chance(40)) lines.push(`X-Long: ${'a'.repeat(100_000)}`);
  const bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(request.body)]);
  return tampered(chance, bytes);
}

function tampered(chance: Seeded, bytes: Buffer): Buffer {
  const at = chance.below(bytes.length + 1);
  switch (chance.below(8)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(chance.of(PIECES) ?? '', 'latin1'), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, at + 1 + chance.below(8)))]);
    case 3: {
      const changed = Buffer.from(bytes);
      if (at < changed.length) changed[at] = chance.below(256);
      return changed;
    }
    case 4:
      return Buffer.concat([bytes, bytes]);
    default:
      return bytes;
  }
}
