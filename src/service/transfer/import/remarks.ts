import { ownCopy } from '../../../v3/ownedText.ts';

/** Something in a file that was not understood, or that could not be kept as it stands there. */
export interface Remark {
  readonly row: number;
  /** Of the story where it came from. */
  readonly id: string;
  /** The column or element. */
  readonly column: string;
  readonly value: string;
  readonly why: string;
}

const MOST_KEPT = 1_000;
const LONGEST_VALUE = 200;

/** Collects remarks; beyond so many only counts them, so that a file that is wrong everywhere does not fill the memory. */
export class Remarks {
  readonly kept: Remark[] = [];
  count = 0;

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
