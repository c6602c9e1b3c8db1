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
  const parameters = parametersOf(disposition);
  return { name: plain(parameters.get('name')), filename: filename(parameters) };
}

interface Parameter {
  readonly text: string;
  readonly isQuoted: boolean;
}

type Parameters = ReadonlyMap<string, Parameter>;

/** The exact form comes before the plain one, which senders add for those that do not know it (RFC 6266, 4.3). */
function filename(parameters: Parameters): string | undefined {
  return extended(parameters.get('filename*')) ?? plain(parameters.get('filename'));
}

/** A value in the form of RFC 5987, as some senders write names that are not ASCII; undefined when it is not whole. */
function extended(parameter: Parameter | undefined): string | undefined {
  const value = parameter && !parameter.isQuoted ? /^utf-8'[^'\s]*'(\S+)/i.exec(parameter.text)?.[1] : undefined;
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined; // Not percent-encoded UTF-8.
  }
}

function plain(parameter: Parameter | undefined): string | undefined {
  if (!parameter) return undefined;
  return parameter.isQuoted ? unescaped(parameter.text) : /^[^"\s]+/.exec(parameter.text)?.[0];
}

const PARAMETER = /;[ \t]*([^;="\s]+)=("?)/g;
const QUOTED_END = /"[ \t]*(?=;|$)/g;

/**
 * The parameters of a line by their names in lower case, the first of each. A quoted value ends at a quote before `;` or the end of the
 * line, since backslashes in names come unescaped; what looks like a parameter inside of quotes belongs to the value.
 */
function parametersOf(line: string): Parameters {
  const found = new Map<string, Parameter>();
  let isOpenToTheEnd = false;
  PARAMETER.lastIndex = 0;
  for (let match = PARAMETER.exec(line); match; match = PARAMETER.exec(line)) {
    const [, name = '', quote = ''] = match;
    const from = PARAMETER.lastIndex;
    const end: number | undefined =
      quote === '' ? endOfBare(line, from) : isOpenToTheEnd ? undefined : endOfQuoted(line, from);
    isOpenToTheEnd ||= end === undefined;
    if (end === undefined) continue;
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, { text: line.slice(from, end), isQuoted: quote !== '' });
    PARAMETER.lastIndex = end;
  }
  return found;
}

function endOfBare(line: string, from: number): number {
  const end = line.indexOf(';', from);
  return end < 0 ? line.length : end;
}

/** Undefined when the quotes are never closed. */
function endOfQuoted(line: string, from: number): number | undefined {
  QUOTED_END.lastIndex = from;
  return QUOTED_END.exec(line)?.index;
}

/** RFC 7578 senders write a quote and line ends in percent form, older ones a backslash before the quote. */
function unescaped(value: string): string {
  return value.replaceAll('\\"', '"').replaceAll('%22', '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');
}
