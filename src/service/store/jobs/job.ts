/** What is sent on its own after a change: the activity for a project's web hook, a message to one person. */
export type JobKind = 'web_hook' | 'mail';

/** A queue keeps the order of what is in it: its next job is not begun before the one ahead is done or parked. */
export interface QueueName {
  readonly kind: JobKind;
  /** What is to keep its order: the id of the project for web hooks; of its own for each message. */
  readonly key: string;
}

export interface NewJob extends QueueName {
  /** What the handler of the kind needs to know, as JSON. Kept until done: name secrets, do not put them here. */
  readonly payload: unknown;
}

/** A job in the hands of its handler. */
export interface Job extends NewJob {
  readonly id: number;
  /** The same at every attempt, so that a receiver can tell what it has had already. */
  readonly deliveryId: string;
  /** Milliseconds since the epoch. */
  readonly queuedAt: number;
  /** How often it was attempted before. */
  readonly attempts: number;
}
