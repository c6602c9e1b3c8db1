/** How to reach an account right now. */
export interface Access {
  readonly baseUrl: string;
  readonly token: string;
}
