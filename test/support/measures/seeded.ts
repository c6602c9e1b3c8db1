/** Numbers that look random and are the same for the same seed. */
export class Seeded {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** 0 or more, below `limit`. */
  below(limit: number): number {
    this.state = (this.state + 0x9e37_79b9) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % limit;
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }

  of<T>(items: readonly T[]): T | undefined {
    return items[this.below(Math.max(1, items.length))];
  }
}
