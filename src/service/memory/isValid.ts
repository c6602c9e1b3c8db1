/** While what was found out is true, in milliseconds since the epoch; clocks may be put back too. */
export interface Validity {
  readonly validFrom: number;
  readonly validUntil: number;
}

export function isValid({ validFrom, validUntil }: Validity, now: number): boolean {
  return now >= validFrom && now < validUntil;
}
