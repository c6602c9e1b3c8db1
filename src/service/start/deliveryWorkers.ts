import type { Mails } from '../call/mails.ts';
import { type ServiceLog, silentServiceLog } from '../ground/background.ts';
import { isLoopback } from '../http/hostNames.ts';
import type { HandledKind } from '../queue/jobHandler.ts';
import { JobWorkers } from '../queue/jobWorkers.ts';
import type { Database } from '../store/database.ts';
import type { PostTimes } from '../webHooks/postActivity.ts';
import { webHookKind } from '../webHooks/webHookKind.ts';

/** How what is told to others after a change goes out. */
export interface DeliveryOptions {
  /** By which others reach this service, with base path and without a slash at the end, where that is not its own address. */
  readonly publicUrl?: string;
  /** Whether web hooks may go to private networks and this machine; on a machine of one's own they may to that. */
  readonly allowPrivateHooks?: boolean;
  readonly hookTimes?: PostTimes;
  /** Addresses and ports of the name servers that are asked for receivers, in place of the system's. */
  readonly nameServers?: readonly string[];
  /** Milliseconds between looks for deliveries that other processes queued or left behind. */
  readonly deliveryPace?: number;
  /** Milliseconds after which others may take over what this process was sending, should it say nothing more. */
  readonly deliveryLease?: number;
  /** Milliseconds for which stopping waits for deliveries that are under way. */
  readonly deliveryPatience?: number;
}

interface Senders {
  readonly database: Database;
  readonly mails: Mails;
}

interface Surroundings extends DeliveryOptions {
  readonly host?: string;
  /** Address of a database that others may share. */
  readonly database?: string;
  readonly log?: ServiceLog;
  readonly clock?: () => number;
}

const HOOK_TIMES: PostTimes = { connect: 5_000, head: 10_000, rest: 5_000 };
const PACE = 5_000;
const PATIENCE = 5_000;
const LEASE = 15_000;
const MAILS_AT_ONCE = 4;

/** Who sends what is queued in the store; `url` is this service's own address, once it is started. */
export function deliveryWorkers({ database, mails }: Senders, options: Surroundings, url: () => string): JobWorkers {
  const { log = silentServiceLog, clock = Date.now, publicUrl, hookTimes = HOOK_TIMES, nameServers } = options;
  const { deliveryPace: pace = PACE, deliveryPatience: patience = PATIENCE, deliveryLease: lease = LEASE } = options;
  const base = (): string => publicUrl ?? url();
  const kinds: readonly HandledKind[] = [
    webHookKind({ database, base, rules: receiverRules(options), times: hookTimes, clock, nameServers }),
    { kind: 'mail', handle: (job, signal) => mails.deliver(job, signal), atOnce: MAILS_AT_ONCE },
  ];
  return new JobWorkers({ database, kinds, log, clock, random: Math.random, pace, lease, patience });
}

/** The service of one machine may tell others on that machine; one on a network must be allowed to. */
function receiverRules({ host = '127.0.0.1', database, allowPrivateHooks = false }: Surroundings) {
  const isOfOneMachine = database === undefined && isLoopback(host);
  return { allowsPrivate: allowPrivateHooks, allowsLoopback: allowPrivateHooks || isOfOneMachine };
}
