/** What a check of a connection walks through, in this order: the proxy comes before TLS, which runs inside its tunnel. */
export const checkStepNames = ['address', 'dns', 'tcp', 'proxy', 'tls', 'token', 'projects'] as const;

export type CheckStepName = (typeof checkStepNames)[number];

/** What mends a step that failed: a setting, or signing in with another address or token. */
export type CheckMend =
  | 'http.proxy'
  | 'http.noProxy'
  | 'storyTracker.extraCertificates'
  | 'storyTracker.tokenHeader'
  | 'signIn';

/** One step and what came of it. `skipped` steps do not apply to this server; steps after a failed one are not taken. */
export interface CheckStep {
  readonly name: CheckStepName;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** A sentence for a person; never a token, a password or a query. */
  readonly detail: string;
  readonly mend?: CheckMend;
}

/** How a check is watched and ended. */
export interface CheckProgress {
  /** Told of each step as soon as it has been taken. */
  readonly onStep?: (step: CheckStep) => void;
  readonly signal?: AbortSignal;
}
