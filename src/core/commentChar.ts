import { SCISSORS } from './commitMessage.ts';

/** With `core.commentChar=auto` Git takes one of these. */
const usual = /^[#;@!$%^&|:]/;

/**
 * What begins the lines of a commit file that Git drops, `core.commentChar` or `core.commentString`, by the lines that Git
 * itself wrote at its end; `#` where it wrote none.
 */
export function commentCharIn(file: string): string {
  const lines = file.split(/\r?\n/);
  const cut = lines.find((line) => line.endsWith(` ${SCISSORS}`));
  if (cut !== undefined) return cut.slice(0, -SCISSORS.length - 1);
  const text = file.trimEnd().split(/\r?\n/);
  const [char = '#'] = usual.exec(text.at(-1) ?? '') ?? [];
  const isWritten = text
    .slice(-3)
    .every((line) => line === char || line.startsWith(`${char} `) || line.startsWith(`${char}\t`));
  return isWritten && text.length > 2 ? char : '#';
}
