import type { ReplicaAccount } from './replica.ts';
import type { StoryRef } from '../story/story.ts';

export interface LinkedCommit extends StoryRef {
  readonly account: ReplicaAccount;
  readonly hash: string;
  /** When its server was seen to take it, in milliseconds since the epoch. */
  readonly linkedAt: number;
}

/** Which commits servers have taken from this machine, from whatever window. */
export interface LinkedCommits {
  /** The latest last; long ago ones are forgotten. */
  linked(): Promise<readonly LinkedCommit[]>;
}
