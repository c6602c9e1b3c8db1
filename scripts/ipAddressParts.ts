/** What the worker's bundle gets for `ip-address`: of an address, `socks` wants its bytes, and the text of bytes. */
export class Address4 {
  private readonly bytes: readonly number[];

  constructor(address: string) {
    this.bytes = address.split('.').map(Number);
  }

  toArray(): readonly number[] {
    return this.bytes;
  }
}

export class Address6 {
  private readonly groups: readonly number[];

  constructor(address: string) {
    const [first = [], last = []] = address.replace(/%.*$/, '').split('::').map(groupsIn);
    const zeros = Array<number>(8 - first.length - last.length).fill(0);
    this.groups = [...first, ...zeros, ...last];
  }

  static fromByteArray(bytes: readonly number[]): Address6 {
    return new Address6(pairsOf(bytes).map(hexOf).join(':'));
  }

  canonicalForm(): string {
    return this.groups.map((group) => hexOf(group).padStart(4, '0')).join(':');
  }
}

/** Of what is on one side of `::`; an address of version 4 at its end counts as two. */
function groupsIn(text: string): readonly number[] {
  const parts = text === '' ? [] : text.split(':');
  return parts.flatMap((part) =>
    part.includes('.') ? pairsOf(new Address4(part).toArray()) : [Number.parseInt(part, 16)],
  );
}

function pairsOf(bytes: readonly number[]): readonly number[] {
  return Array.from({ length: bytes.length / 2 }, (_, at) => ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0));
}

function hexOf(group: number): string {
  return group.toString(16);
}
