/**
 * What api-v3.md does not show and we had to decide (protocol.md, marks *ours* and *C*). Nothing else in the code may hold
 * a guess about the protocol.
 */

import { writableInXml } from '../core/text.ts';

/** not shown: whose name "the service" is in activities, notes and source commits; recordings call the element so. */
export const AUTHOR_ELEMENT = 'author';

/** not shown: the header's older name; existing clients send it, our service accepts both. */
export const TOKEN_HEADERS = ['X-ServiceToken', 'X-TrackerToken'] as const;

/** not shown: how many entries an activity list has when `limit` is left out. */
export const DEFAULT_ACTIVITY_LIMIT = 10;

/** not shown: the lowest `limit`; the highest is documented. Outside them the answer is 422. */
export const ACTIVITY_LIMITS = { lowest: 1, highest: 100 } as const;

/** not shown: the roles beside `Owner`, and what they may: a Viewer reads, a Member writes, an Owner changes members. Strongest first. */
export const MEMBER_ROLES = ['Owner', 'Member', 'Viewer'] as const;

/** not shown: for how many minutes the address of a file works; the document says only that it is temporary. */
export const DOWNLOAD_MINUTES = 10;

/** not shown: when version 2 goes, which is announced; here it is gone as version 1 is, and answered with 410. */
export const GONE_VERSIONS: readonly number[] = [1, 2];

/** not shown: the root of an empty list of tasks, notes, iterations or memberships; recordings have this instead of the list's own name. */
export const EMPTY_LIST_ROOT = 'nil-classes';

/** not shown: by what a receiver of web hooks knows a delivery again, which may come twice; the same at every attempt. */
export const WEB_HOOK_DELIVERY_HEADER = 'X-ServiceDelivery';

/** not shown: when a web hook was posted, in seconds since the epoch; part of what is signed. */
export const WEB_HOOK_TIME_HEADER = 'X-ServiceTime';

/** not shown: how a web hook proves where it comes from: `sha256=` and an HMAC in hex, when the project has a secret. */
export const WEB_HOOK_SIGNATURE_HEADER = 'X-ServiceSignature';

/** not shown: what starts a day that comes without a time; minutes east of UTC. */
export const DAY_STARTS_IN_UTC = 0;

/** not shown: the type attribute of `start_date`, which is a day without a time. */
export const START_DATE_TYPE = 'date';

/** not shown: the status of an attachment whose file has just arrived. */
export const PENDING_ATTACHMENT = 'Pending';

/** not shown: how large an attachment is. Ours tells in bytes; others leave it out, or ignore it. */
export const ATTACHMENT_SIZE_ELEMENT = 'size';

/** not shown: the form field that carries a hosted service's post-commit payload to endpoint 7. */
export const HOSTED_PAYLOAD_FIELD = 'payload';

/** not shown: how the element of a ticket is called when the integration is not said; existing clients write this. */
export const DEFAULT_TICKET_PREFIX = 'other';

/** not shown: by which elements else a ticket of any integration comes; clients that name the integration write this one. */
export const ANY_TICKET_PREFIXES: readonly string[] = [DEFAULT_TICKET_PREFIX, 'external'];

/** not shown: where a story stands. Ours carries a text that sorts bytewise among the stories of its list; others ignore it. */
export const RANK_ELEMENT = 'rank';

/** not shown: how a client learns that the order changed. Our project carries a digest of it (see orderDigest.ts). */
export const ORDER_DIGEST_ELEMENT = 'order_digest';

/** not shown: whether an answer may be kept; ours may, by the one who asked, who then asks with its entity tag whether it still stands. */
export const ANSWER_CACHE_CONTROL = 'private, no-cache';

/** not shown: how to change only what is as one read it. Ours takes its entity tag as `If-Match`, and answers so where it is another by then. */
export const CHANGED_SINCE_STATUS = 412;

/** not shown: how a refusal says which element of the request it is about. Ours names it in an attribute of the `error`; others ignore it. */
export const ERROR_FIELD_ATTRIBUTE = 'field';

/** not shown: how to learn what a change would do. Ours takes `dry_run=true` in the query, changes nothing, and answers what would become of it. */
export const DRY_RUN_PARAMETER = 'dry_run';

/** not shown: where a project's activity is posted to; only owners are told. Empty for nowhere. */
export const WEB_HOOK_URL_ELEMENT = 'web_hook_url';

/** not shown: with what the posts are signed. It is sent and never answered; empty for no longer. */
export const WEB_HOOK_SECRET_ELEMENT = 'web_hook_secret';

/** not shown: whether posts are signed; only owners are told. */
export const WEB_HOOK_SIGNED_ELEMENT = 'web_hook_signed';

/** not shown: the iterations whose team or length is not as usual. Each has `number`, `team_strength` and, where it differs, `iteration_length`. */
export const STRENGTHS_ELEMENT = 'iteration_strengths';

/** not shown: what the one who asks for the settings of a project is in it. */
export const OWN_ROLE_ELEMENT = 'own_role';

/** not shown: how many stories that are not accepted yet a member owns; told in the settings and when the member is removed. */
export const OWNED_STORIES_ELEMENT = 'owned_stories';

/** not shown: names on stories that nobody is known by, each with its `name` and `stories`; only owners are told. */
export const KEPT_NAMES_ELEMENT = 'kept_names';

/** not shown: a name on stories that is to be a member's. */
export const KEPT_NAME_ELEMENT = 'kept_name';
/** not shown: how many stories were of such a name. */
export const NAMED_STORIES_ELEMENT = 'named_stories';

/** not shown: what the addresses of an integration's tickets begin with. */
export const INTEGRATION_URL_ELEMENT = 'base_url';

/** not shown: how many stories have a ticket of an integration. */
export const INTEGRATION_COUNT_ELEMENT = 'story_count';

/** not shown: the answer to a dry run of a change to a project: the velocity, the former one, and the stories that change their iteration. */
export const PLAN_CHANGE_ELEMENT = 'plan_change';

/** not shown: how a file of stories is imported. Ours is the body of `POST /imports` or `POST /projects/P/imports`, with these in the query. */
export const IMPORT_PARAMETERS = {
  projectName: 'project_name',
  /** Repeated: `NAME=ADDRESS`. */
  person: 'person',
  /** `csv` or `xml`; told by the file without it. */
  format: 'format',
  /** `false`: stories get new numbers instead of keeping those of the file that are free. */
  keepIds: 'keep_ids',
  /** The number by which the caller asks how far it is, with `GET /imports/I`. */
  importId: 'import_id',
} as const;

/** not shown: the parameter of `GET /projects/P/imports` with the IDs in the file, separated by commas, of which it answers those here. */
export const IMPORTED_IDS_PARAMETER = 'external_ids';
/** not shown: how many IDs one such question may have. */
export const MOST_IMPORTED_IDS = 200;

/** not shown: how a project is exported. Ours answers `GET /projects/P/export` with a file, in the format that this parameter names. */
export const EXPORT_FORMAT_PARAMETER = 'format';

/** not shown: other names for the keys of a filter; clients that search by the fields of a story send the names of its elements. */
export const FILTER_KEY_OF_ELEMENT: ReadonlyMap<string, string> = new Map([
  ['story_type', 'type'],
  ['current_state', 'state'],
  ['labels', 'label'],
  ['requested_by', 'requester'],
  ['owned_by', 'owner'],
]);

/** not shown: whether a path may say its format or end with a slash; clients that map objects to resources add `.xml`, others a slash. */
export function plainPath(path: string): string {
  return path.replace(/(?:\.xml|\/)$/, '');
}

/** not shown: dashes in the names of elements; clients whose library writes XML of objects send `story-type` for `story_type`. */
export function underscoredName(name: string): string {
  return name.includes('_') ? name : name.replaceAll('-', '_');
}

/** not shown: how else a date comes in a query; published clients send it in quotes, with a NUL for the space, or with a plus that became a space. */
export function sentDate(text: string): string {
  const unquoted = text
    .replaceAll('\0', ' ')
    .trim()
    .replace(/^"(.*)"$/, '$1');
  return unquoted.replace(/(\d:\d\d) +(?=\d\d:?\d\d$)/, '$1 +');
}

const OTHER_IDS: ReadonlySet<string> = new Set(
  'project integration requested_by owned_by owner story iteration epic person'.split(' '),
);

/** not shown: the list of integration names, so every `<x>_id` of a story is a ticket but those of the tracker's own things. */
export function ticketPrefix(elementName: string): string | undefined {
  if (!elementName.endsWith('_id')) return undefined;
  const prefix = elementName.slice(0, -'_id'.length);
  return prefix === '' || OTHER_IDS.has(prefix) ? undefined : prefix;
}

const ZONES: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  JST: 9,
  KST: 9,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
};

/** not shown: what the zone abbreviations mean. Minutes east of UTC; undefined for one that is unknown or has two meanings. */
export function zoneOffset(abbreviation: string): number | undefined {
  const name = abbreviation.toUpperCase();
  const hours = Object.hasOwn(ZONES, name) ? ZONES[name] : undefined;
  return hours === undefined ? undefined : hours * 60;
}

/** not shown: what becomes of characters that XML 1.0 cannot hold: each is written as U+FFFD. */
export const replacedCharacters = writableInXml;
