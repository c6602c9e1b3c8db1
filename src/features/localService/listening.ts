import { withoutEnd } from '../../core/text.ts';
/** Where the service listens and the token of its only user. */
export interface Listening {
  readonly baseUrl: string;
  readonly token: string;
}

/**
 * Reads the first line that the service writes with `--json` (contract.md, Service).
 * @throws Error when it is another line; the line is not repeated, since it may hold the token.
 */
export function listeningOf(line: string): Listening {
  const { event, url, token } = fieldsOf(line);
  if (event !== 'listening' || typeof url !== 'string' || typeof token !== 'string') {
    throw new Error('The built-in service did not say where it listens.');
  }
  return { baseUrl: withoutEnd(url, '/'), token };
}

function fieldsOf(line: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
