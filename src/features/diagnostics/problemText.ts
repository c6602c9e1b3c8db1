import { constants } from 'node:os';
import { TrackerError } from '../../core/errors.ts';
import { withoutEnds } from '../../core/text.ts';
import type { LoggedProblem } from '../../host/shell/rememberingLog.ts';

/**
 * What is logged has names of people, projects, stories, servers and files in it, in sentences of ours and of others. So only words are
 * kept that are known to be none of these; a test sees to it that those of our own log are among them.
 */
const WORDS = new Set(
  `a about accept accepted access account accounts across active activities activity add added address after again all allow allowed already
  also an and another answer answered any archive are as aside ask asked at attach attachment attachments attaching attempt away
  back backup bad be became because been before begin behind being belong below body both box branch brackets broken browser built built-in busy but by
  cache call came can canceled cancelled cannot certificate certificates change changed changes characters check checked choose chosen client
  close closed closing code column command comment comments commit commits complete configured conflict connect connected connection contain
  contains copied copy corrupt could create created current
  damaged data database day days deadline decode decoding default delete deleted denied description did different directly directory disk do
  document does done down download drive during
  each edit edited editor editors elsewhere email empty encoding end ended endpoint enter entry error errors estimate exceeded exist exists
  exit expected expired export extension extra
  fail failed failure failures fatal feature fetch fetched few field fields file files filter find finish finished first fits folder following
  for forbidden format found from full
  gave get gets git give given go goes gone got had handshake has have head header history hook hooks host how
  id if import in index input inserted install installed instead integration integrations internal interrupted into invalid is issuer issue it
  iteration iterations its itself
  keep keeps kept key keyring kind known label labels large larger last later latest least left length less limit line lines link linked linking
  list listed lists load loaded local lock locked log long longer lost
  made make many marker markers match mean memory menu merge message messages method minutes missing moment more move moved multiple must
  name named names nearest needed needs network never new newer next no none not nothing now null number numbers
  object of off on once one only open opened opening operation or order other others our out outbox over own owner
  page panel parameter parse part password path permission place plain point points polling pool port position possible post posted preview
  private problem process program project projects protocol proxy push put
  queue read reading ready reason receive received record recreated redirect redirects refresh refused reading regular reject rejected release reload
  remote remove removed reordered repeat replica reply report repository request requests require required reset resource respond response rest
  restarted restore result retry right root row rows run running runs
  same save saved scale script search searched second seconds secret secrets see seen self-signed send sending sent server servers service set setting settings
  several should show shown side sign signed since size slow so socket some source spawn stack start started stash state status stay stayed still
  stop stopped storage store stored stories story stream such support supported syntax system
  table tags take taken task tasks tell temporary text than that the their them then there these they thing this those thread ticket time timed
  timeout times title to together token too took transaction try trusted turned twice type types
  unable unauthorized unavailable undefined under undo unexpected unknown unlock unreachable unsaved unsent until update upload url us use used user uses
  valid value values verify version versions view
  wait waited waiting wake want wanted was watch way were what when where whether which while who whole why window windows with without
  work worked worker working worktree would write writing written wrong yet you your`.split(/\s+/),
);

/** Words of which the letters' case tells that no one is called so. */
const TERMS = new Set(
  `Git VS Code Story Tracker HTTP HTTPS HTML XML JSON JavaScript TLS SSL DNS TCP CA URL SQL SQLite SQLITE_BUSY SQLITE_CANTOPEN SQLITE_CORRUPT
  SQLITE_ERROR SQLITE_FULL SQLITE_IOERR SQLITE_LOCKED SQLITE_NOTADB SQLITE_READONLY SQLITE_CONSTRAINT Kerberos Host Origin Commit & Finish Sign
  In SecretStorage ZIP CSV UTF-8 OK Node.js
  CERT_HAS_EXPIRED CERT_NOT_YET_VALID DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE ENOTFOUND EAI_AGAIN EPROTO HPE_INVALID_CONSTANT HPE_HEADER_OVERFLOW
  ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_SQLITE_ERROR ERR_WORKER_OUT_OF_MEMORY
  ERR_INVALID_ARG_TYPE ERR_INVALID_URL ERR_OUT_OF_RANGE ERR_MODULE_NOT_FOUND UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT
  UND_ERR_BODY_TIMEOUT UND_ERR_SOCKET UND_ERR_ABORTED UND_ERR_DESTROYED UND_ERR_CLOSED UND_ERR_INVALID_ARG UND_ERR_RES_EXCEEDED_MAX_SIZE
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH GET POST PUT DELETE
  notFound tooLarge Error TypeError RangeError SyntaxError ReferenceError AggregateError TrackerError AbortError TimeoutError HTTPParserError`
    .split(/\s+/)
    .concat(Object.keys(constants.errno)),
);

/** What a word may stand between. */
const PUNCTUATION = '([.,:;!?)"\'“‘«”’»…';
/** The status of an answer; longer numbers may be anything. */
const STATUS = /^[1-5]\d\d$/;
const LEFT_OUT = '…';
/** A text that goes on is cut. */
const MOST_WORDS = 60;
const LONGEST_TEXT = 1000;

/** A text with an ellipsis in place of each word that could be of someone or something. */
export function withoutNames(text: string): string {
  const words = text.slice(0, LONGEST_TEXT).split(/\s+/).slice(0, MOST_WORDS);
  const plain = words.map((word, at) => (isPlain(word, words[at - 1]) ? word : LEFT_OUT));
  return withoutRepeats(plain).join(' ');
}

function isPlain(text: string, before: string | undefined): boolean {
  const word = withoutEnds(text, PUNCTUATION);
  if (WORDS.has(word) || TERMS.has(word) || STATUS.test(word)) return true;
  const isFirst = before === undefined || '.:!?'.includes(before.slice(-1));
  return isFirst && WORDS.has(word.toLowerCase());
}

/** With one ellipsis for all that stand side by side. */
function withoutRepeats(parts: readonly string[]): readonly string[] {
  return parts.filter((part, at) => part !== LEFT_OUT || parts[at - 1] !== LEFT_OUT);
}

/** Sentences of the program as they are shown, by the English ones in its source (`l10n/bundle.l10n.*.json`). */
export type Translations = Readonly<Record<string, string>>;

/** How deep sentences within sentences are looked for. */
const MOST_SENTENCES = 3;

/**
 * The English sentence of which this is the translation, with an ellipsis for what was put into it, unless that is such a sentence too;
 * the text as it is where it is none.
 */
function inEnglish(text: string, translations: Translations, depth = MOST_SENTENCES): string {
  let best:
    | { readonly english: string; readonly words: number; readonly values: ReadonlyMap<string, string> }
    | undefined;
  for (const [key, translated] of Object.entries(translations)) {
    const pieces = translated.split(/(\{\d\})/);
    const words = pieces.filter((_, index) => index % 2 === 0).join('').length;
    const values = words > (best?.words ?? 0) ? valuesIn(text, pieces) : undefined;
    if (values) best = { english: key.replace(/\/[^/{}]+$/, ''), words, values };
  }
  if (!best) return text;
  const { english, values } = best;
  return english.replace(/\{\d\}/g, (placeholder) => {
    const value = depth > 0 ? (values.get(placeholder) ?? '') : '';
    const inner = inEnglish(value, translations, depth - 1);
    return inner === value ? LEFT_OUT : inner;
  });
}

/** What stands in a text where a sentence has its placeholders, which are every other piece; `undefined` where the text is another. */
function valuesIn(text: string, pieces: readonly string[]): ReadonlyMap<string, string> | undefined {
  const first = pieces[0] ?? '';
  const last = pieces.length - 1;
  if (!text.startsWith(first) || (last === 0 && text !== first)) return undefined;
  const values = new Map<string, string>();
  let at = first.length;
  for (let index = 2; index <= last; index += 2) {
    const piece = pieces[index] ?? '';
    const end = index === last ? text.length - piece.length : text.indexOf(piece, at);
    if (end < at || !text.startsWith(piece, end)) return undefined;
    values.set(pieces[index - 1] ?? '', text.slice(at, end));
    at = end + piece.length;
  }
  return values;
}

/** A line about what was logged, in English: when, what kind of failure, of which request, and where in the program. */
export function problemText({ at, level, logged }: LoggedProblem, translations: Translations): string {
  const parts = typeof logged === 'string' ? [loggedText(logged, translations)] : errorParts(logged, translations);
  return [new Date(at).toISOString(), level, ...parts.filter((part) => part !== '')].join(' · ');
}

/** A sentence of the program may stand behind words of the log, which are English ones. */
function loggedText(logged: string, translations: Translations): string {
  const text = logged.slice(0, LONGEST_TEXT);
  const [, start = '', rest = ''] = /^([\w -]+: )?(.*)$/s.exec(text) ?? [];
  const whole = inEnglish(text, translations);
  return withoutNames(whole === text ? start + inEnglish(rest, translations) : whole);
}

function errorParts(error: Error, translations: Translations): readonly string[] {
  const isOfTracker = error instanceof TrackerError;
  return [
    TERMS.has(error.name) ? error.name : 'Error',
    ...(isOfTracker ? [withoutNames(error.kind), withoutNames(String(error.status ?? ''))] : []),
    ...(isOfTracker && error.request !== undefined ? [requestText(error.request)] : []),
    ...codesOf(error),
    loggedText(error.message, translations),
    placesOf(error),
  ].filter((part) => part !== LEFT_OUT);
}

/** Method and path, without what stands before the path of the API: `PUT …/projects/1/stories/2`. */
function requestText(request: string): string {
  const [method = '', path = ''] = request.slice(0, LONGEST_TEXT).split(' ');
  const segments = path.split('/').map((part) => (/^\d{1,12}$/.test(part) || WORDS.has(part) ? part : LEFT_OUT));
  return `${withoutNames(method)} ${withoutRepeats(segments).join('/')}`;
}

/** How deep the errors behind an error are looked at. */
const MOST_CAUSES = 4;

/** The codes that the system gave to it and to what is behind it. */
function codesOf(error: Error): readonly string[] {
  const codes = new Set<string>();
  let at: unknown = error;
  for (let depth = 0; depth < MOST_CAUSES && at instanceof Error; depth += 1) {
    if ('code' in at && typeof at.code === 'string' && TERMS.has(at.code)) codes.add(at.code);
    at = at.cause;
  }
  return [...codes];
}

/** The innermost places in the program's own files. The stack begins with the message, which may name files of others. */
function placesOf({ message, stack = '' }: Error): string {
  const begin = stack.includes(message) ? stack.indexOf(message) + message.length : 0;
  const places =
    stack.slice(begin, begin + 8000).match(/\b(?:extension|worker|service|part-[\w-]{1,80})\.js:\d{1,7}:\d{1,7}/g) ??
    [];
  return places.slice(0, 4).join(' < ');
}
