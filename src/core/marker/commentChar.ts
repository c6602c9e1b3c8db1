import { SCISSORS } from './commitMessage.ts';

/** With `core.commentChar=auto` Git takes one of these. */
const usual = /^[#;@!$%^&|:]/;

const scissorsLine = new RegExp(`^(\\S+) ${SCISSORS}\\r?$`, 'm');

/**
 * What begins the lines of a commit file that Git drops, `core.commentChar` or `core.commentString`, by the lines that Git
 * itself wrote at its end; `#` where it wrote none.
 */
export function commentCharIn(file: string): string {
  const [, beforeScissors] = scissorsLine.exec(file) ?? [];
  if (beforeScissors !== undefined) return beforeScissors;
  const text = file.trimEnd().split(/\r?\n/);
  const [char = '#'] = usual.exec(text.at(-1) ?? '') ?? [];
  const isWritten = text
    .slice(-3)
    .every((line) => line === char || line.startsWith(`${char} `) || line.startsWith(`${char}\t`));
  return isWritten && text.length > 2 ? char : '#';
}
