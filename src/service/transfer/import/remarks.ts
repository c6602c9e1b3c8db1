import type { ImportRemark } from '../../../core/story/importReport.ts';
import { ownCopy } from '../../../v3/ownedText.ts';

type Remark = ImportRemark;

const MOST_KEPT = 1_000;
const LONGEST_VALUE = 200;

/** Collects remarks; beyond so many only counts them, so that a file that is wrong everywhere does not fill the memory. */
export class Remarks {
  readonly kept: Remark[] = [];
  count = 0;

  /** What was remarked until now, to be put back when a step is begun anew. */
  tally(): () => void {
    const { count, kept } = this;
    const { length } = kept;
    return () => {
      this.count = count;
      kept.length = length;
    };
  }

  add(remark: Remark): void {
    this.count += 1;
    if (this.kept.length >= MOST_KEPT) return;
    this.kept.push({
      ...remark,
      id: beginning(remark.id),
      column: beginning(remark.column),
      value: beginning(remark.value),
    });
  }
}

/** In memory of its own, so that a long text is not kept for its beginning. */
function beginning(text: string): string {
  return text.length > LONGEST_VALUE ? `${ownCopy(text.slice(0, LONGEST_VALUE))}…` : text;
}

/** Says what is wrong with a value in one row. */
export type Remarking = (column: string, value: string, why: string) => void;

/** Why a file cannot be imported at all. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}
