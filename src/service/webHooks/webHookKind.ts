import { activityElement } from '../../v3/activity.ts';
import { writeDocument } from '../../v3/write.ts';
import { type HandledKind, Postponement } from '../queue/jobHandler.ts';
import { activityById, toActivity } from '../store/activities.ts';
import type { Database, Tx } from '../store/database.ts';
import type { Job } from '../store/jobs/queues.ts';
import { projectById } from '../store/projects/projects.ts';
import { hookSecret } from '../store/projects/webHook.ts';
import { secretOf } from '../store/secrets.ts';
import { dnsAddresses, type FindAddresses, HostsFile, NameLookups } from './nameLookups.ts';
import { deliveryHeaders, type PostTimes, post, ReceiverShares } from './postActivity.ts';
import type { ReceiverRules } from './receiverRules.ts';

interface WebHookNeeds {
  readonly database: Database;
  /** How a receiver reaches this service, without a slash at the end: where the stories of an activity are. */
  readonly base: () => string;
  readonly rules: ReceiverRules;
  readonly times: PostTimes;
  readonly clock: () => number;
  /** Whom to ask for names; the system's name servers when there are none. */
  readonly nameServers?: readonly string[] | undefined;
}

/** Connections are cheap; so many posts may be slow at once without holding up others, and of them so many to one receiver. */
const AT_ONCE = 64;
const OF_RECEIVER = 16;
/** Milliseconds for which a post waits for others to the same receiver before it leaves its place to those to others, and then stays away. */
const PATIENCE = 200;
const PAUSE = 2_000;

/** Posts the activities of a project to its web hook, one at a time. */
export function webHookKind(needs: WebHookNeeds): HandledKind {
  const hosts = new HostsFile();
  const lookups = new NameLookups({
    hosts: (name) => hosts.addressesOf(name),
    dns: (name) => dnsAddresses(name, needs.nameServers),
  });
  const addressesOf = (name: string) => lookups.addressesOf(name);
  const shares = new ReceiverShares(OF_RECEIVER, PATIENCE);
  return {
    kind: 'web_hook',
    atOnce: AT_ONCE,
    handle: (job, signal) => deliver({ ...needs, addressesOf, shares }, job, signal),
  };
}

interface Sender extends WebHookNeeds {
  readonly addressesOf: FindAddresses;
  readonly shares: ReceiverShares;
}

async function deliver(needs: Sender, job: Job, signal: AbortSignal): Promise<void> {
  const { database, base, times, clock, addressesOf, shares } = needs;
  const told = await database.read((tx) => toldOf(tx, job));
  if (!told) return;
  const url = new URL(told.url);
  const rules = { ...needs.rules, isClearLine: told.useHttps && url.protocol !== 'https:' };
  const body = writeDocument(activityElement(toActivity(told.activity, base())));
  const signed = deliveryHeaders({ deliveryId: job.deliveryId, now: clock(), body, secret: told.secret });
  const headers = { 'Content-Type': 'application/xml', 'User-Agent': 'Story-Tracker', ...signed };
  if (!(await shares.take(url.host))) throw new Postponement(PAUSE);
  await post({ url, headers, body, rules, addressesOf, times, signal }).finally(() => shares.give(url.host));
}

/** Nothing when the project has no web hook any more: what waited for it is let go. */
async function toldOf(tx: Tx, { key, payload }: Job) {
  const project = await projectById(tx, Number(key));
  const { activityId }: { readonly activityId?: unknown } = Object(payload);
  const activity = await activityById(tx, Number(activityId));
  if (!project || project.webHookUrl === null || !activity) return undefined;
  const secret = await secretOf(tx, hookSecret(project.id));
  return { url: project.webHookUrl, useHttps: project.useHttps === 1, activity, secret };
}
