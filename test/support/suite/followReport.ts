import { closeSync, openSync, readSync } from 'node:fs';

/** Prints what is appended to `file` as it comes, until stopped; the file may not be there yet. */
export function followReport(file: string, print: (text: string) => void): { stop(): void } {
  let position = 0;
  const printMore = () => {
    const text = textFrom(file, position);
    position += Buffer.byteLength(text);
    if (text !== '') print(text);
  };
  const timer = setInterval(printMore, 200);
  return {
    stop: () => {
      clearInterval(timer);
      printMore();
    },
  };
}

/** Whole lines only, so that no character is cut in two. */
function textFrom(file: string, position: number): string {
  const buffer = Buffer.alloc(1 << 20);
  try {
    const descriptor = openSync(file, 'r');
    const length = readSync(descriptor, buffer, 0, buffer.length, position);
    closeSync(descriptor);
    return buffer.toString('utf8', 0, buffer.lastIndexOf('\n', length - 1) + 1);
  } catch {
    return '';
  }
}
