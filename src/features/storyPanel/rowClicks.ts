/** Milliseconds: the longest that systems take two clicks for a double one, and what the message from the window may take. */
const DOUBLE_CLICK_MS = 600;

/**
 * Tells double clicks on rows. VS Code runs a row's command for the first click and again for a double click, and does not say
 * which; where `workbench.list.openMode` is `doubleClick`, it runs it for double clicks only.
 */
export class RowClicks {
  private last = { name: '', at: Number.NEGATIVE_INFINITY };

  /** Whether the click on this row at this moment, in milliseconds, is the second of a double one. */
  isDouble(name: string, at: number): boolean {
    const { last } = this;
    const isSecond = last.name === name && at - last.at <= DOUBLE_CLICK_MS;
    this.last = { name, at: isSecond ? Number.NEGATIVE_INFINITY : at };
    return isSecond;
  }
}
