const WIDTH = 30;
/** Milliseconds between two pictures. */
const PACE = 100;

interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressBar {
  /** Shows a part of the whole, from 0 to 1. */
  readonly show: (part: number) => void;
  /** Takes it off the screen. */
  readonly end: () => void;
}

/** A bar on a terminal; nothing where the output goes elsewhere. */
export function progressBar(terminal: Terminal, clock: () => number = Date.now): ProgressBar {
  if (terminal.isTTY !== true) return { show: () => undefined, end: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show: (part) => {
      if (clock() - shownAt < PACE) return;
      shownAt = clock();
      const done = Math.round(Math.min(Math.max(part, 0), 1) * WIDTH);
      const percent = String(Math.floor((done / WIDTH) * 100)).padStart(3);
      terminal.write(`\r[${'#'.repeat(done)}${' '.repeat(WIDTH - done)}] ${percent} %`);
    },
    end: () => void terminal.write(`\r${' '.repeat(WIDTH + 8)}\r`),
  };
}
