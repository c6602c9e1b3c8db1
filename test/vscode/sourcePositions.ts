import { findSourceMap } from 'node:module';
import { relative } from 'node:path';

/** `text` with the bundle's positions replaced by those in the sources, relative to the working folder's root. */
export function withSourcePositions(text: string, root: string): string {
  return text.replace(/(\/[^\s():]+\.js):(\d+):(\d+)/g, (bundled, file: string, line: string, column: string) => {
    const entry = findSourceMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return bundled;
    const source = decodeURIComponent(entry.originalSource.replace(/^file:\/\//, ''));
    return `${relative(root, source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
