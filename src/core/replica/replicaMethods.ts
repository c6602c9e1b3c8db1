import type { ActivityLog, Replica, Sync } from './replica.ts';

const replica: Readonly<Record<keyof Replica, true>> = { projects: true, backlog: true, put: true, keepAccounts: true };
const sync: Readonly<Record<keyof Sync, true>> = { readProjects: true, refresh: true, readMoreDone: true };
const activityLog: Readonly<Record<keyof ActivityLog, true>> = {
  ...{ told: true, unread: true, markRead: true, claimFresh: true, setOwnName: true },
};

/** Every call of `Replica` by name; the compiler keeps it whole. */
export const replicaMethods = Object.keys(replica) as readonly (keyof Replica)[];

/** Every call of `Sync` by name. */
export const syncMethods = Object.keys(sync) as readonly (keyof Sync)[];

/** Every call of `ActivityLog` by name. */
export const activityLogMethods = Object.keys(activityLog) as readonly (keyof ActivityLog)[];
