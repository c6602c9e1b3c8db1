/** The commit that each ref stands at; `HEAD` and full names of local branches. */
export type Tips = ReadonlyMap<string, string>;

/** Where a repository stood when it was last looked at. */
export interface SeenTips {
  /** When it was first looked at, in milliseconds since the epoch: what was committed before is history. */
  readonly firstAt: number;
  /** The latest first. */
  readonly tips: readonly { readonly ref: string; readonly hash: string }[];
}

const MOST_WITHOUT = 100;

/** Of lines of a hash and the name of its ref. A line that is none of these says nothing. */
export function tipsIn(answer: string): Tips {
  return new Map(
    answer.split('\n').flatMap((line) => {
      const [, hash, ref] = /^([0-9a-f]{40}|[0-9a-f]{64}) (HEAD|refs\/heads\/.+)$/.exec(line) ?? [];
      return hash && ref ? [[ref, hash] as const] : [];
    }),
  );
}

/** The commits to begin at, HEAD first, and those whose history is known, of these few enough for a command line of any system. */
export function unseen(
  seen: SeenTips,
  tips: Tips,
): { readonly from: readonly string[]; readonly without: readonly string[] } {
  const known = new Set(seen.tips.map(({ hash }) => hash));
  const moved = [...tips].filter(([, hash]) => !known.has(hash));
  const isMoved = new Set(moved.map(([ref]) => ref));
  const before = [...seen.tips.filter(({ ref }) => isMoved.has(ref)), ...seen.tips].map(({ hash }) => hash);
  const from = moved.toSorted(([one], [other]) => Number(other === 'HEAD') - Number(one === 'HEAD'));
  return {
    from: [...new Set(from.map(([, hash]) => hash))],
    without: [...new Set(before)].slice(0, MOST_WITHOUT),
  };
}
