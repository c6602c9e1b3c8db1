import { isUtf8 } from 'node:buffer';

export interface PartHead {
  /** Name of the form field. */
  readonly name: string | undefined;
  readonly filename: string | undefined;
}

/** The lines above a part's bytes. Names are UTF-8, else Latin-1, as old senders write them. */
export function readPartHead(bytes: Buffer): PartHead {
  const text = isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
  const disposition = /(?:^|\n)content-disposition:[ \t]*form-data([^\r\n]*)/i.exec(text)?.[1] ?? '';
  return { name: parameter(disposition, 'name'), filename: filename(disposition) };
}

/** The exact form comes before the plain one, which senders add for those that do not know it (RFC 6266, 4.3). */
function filename(disposition: string): string | undefined {
  return extended(disposition, 'filename') ?? parameter(disposition, 'filename');
}

/**
 * A value in the form of RFC 5987, as some senders write names that are not ASCII; undefined when it is not whole. What looks
 * like one inside of quotes belongs to another value.
 */
function extended(disposition: string, name: string): string | undefined {
  const unquoted = disposition.replace(/="[^\r\n]*?"[ \t]*(?=;|$)/g, '=""');
  const pattern = new RegExp(`;[ \\t]*${name}\\*=utf-8'[^';\\s]*'([^;\\s]+)`, 'i');
  try {
    const value = pattern.exec(unquoted)?.[1];
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined; // Not percent-encoded UTF-8.
  }
}

/** A quoted value ends at a quote before `;` or the end of the line, since backslashes in names come unescaped. */
function parameter(disposition: string, name: string): string | undefined {
  const quoted = new RegExp(`;[ \\t]*${name}="([^\\r\\n]*?)"[ \\t]*(?:;|$)`, 'i').exec(disposition)?.[1];
  if (quoted !== undefined) return unescaped(quoted);
  return new RegExp(`;[ \\t]*${name}=([^";\\s]+)`, 'i').exec(disposition)?.[1];
}

/** RFC 7578 senders write a quote and line ends in percent form, older ones a backslash before the quote. */
function unescaped(value: string): string {
  return value.replaceAll('\\"', '"').replaceAll('%22', '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');
}
