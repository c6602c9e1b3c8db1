/** A server one is signed in to, as one user. The built-in service has no stored address and no stored token. */
export interface Account {
  readonly id: string;
  readonly label: string;
  readonly kind: 'builtIn' | 'server';
  /** Absent for the built-in service, whose port changes. */
  readonly baseUrl?: string;
  /** When its token was given, in milliseconds since the epoch: with another token one may be another person. */
  readonly tokenSince?: number;
}

export const BUILT_IN_ID = 'builtIn';
