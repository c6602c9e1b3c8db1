/** Whether a part of the mail lets readers break its lines anew (RFC 3676). */
export function isFlowed(raw: Buffer): boolean {
  return /format="?flowed/i.test(raw.toString('latin1'));
}

/**
 * Without spaces at the end of quoted lines and of those before them: the parser would take what is quoted and what is not for one
 * line (RFC 3676, 4.5). Done on a copy that only the text is read from.
 */
export function withHardQuotes(raw: Buffer): Buffer {
  const lines = raw.toString('latin1').split('\n');
  const hard = lines.map((line, index) => {
    const isNextToQuoted = line.startsWith('>') || lines[index + 1]?.startsWith('>') === true;
    return isNextToQuoted && !/^-- \r?$/.test(line) ? `${withoutSpacesAtEnd(line)}\r` : line;
  });
  return Buffer.from(hard.join('\n'), 'latin1');
}

function withoutSpacesAtEnd(line: string): string {
  let text = line.trimEnd();
  while (text.endsWith('=20')) text = text.slice(0, -3).trimEnd();
  return text;
}
