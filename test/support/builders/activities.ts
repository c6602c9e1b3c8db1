import type { ToldActivity } from '../../../src/core/replica/replica.ts';
import type { Activity } from '../../../src/core/story/activity.ts';
import type { Story } from '../../../src/core/story/story.ts';
import { aDate, anActivity } from './builders.ts';

export const project = { accountId: 'bakery', address: 'http://bakery.example', projectId: 1 };

/** Another's activity in project 1 that was looked at; `minute` is its version, and when it happened after ten. */
export function aTold(
  minute: number,
  activity: Partial<Activity> = {},
  fields: Partial<ToldActivity> = {},
): ToldActivity {
  const occurredAt = aDate(new Date(Date.UTC(2026, 2, 3, 10, minute)).toISOString());
  return {
    project,
    activity: anActivity({ id: 80 + minute, version: minute, occurredAt, ...activity }),
    isUnread: false,
    isOwn: false,
    ...fields,
  };
}

/** What an activity tells of a story. */
export function aChange(id: number, changed: Partial<Story> = {}, ...cleared: readonly (keyof Story)[]) {
  return { id, changed, cleared };
}
