/** What a file seems to hold that is nobody else's business. */
export type SecretKind =
  | 'privateKey'
  | 'awsKey'
  | 'githubToken'
  | 'gitlabToken'
  | 'slackToken'
  | 'npmToken'
  | 'pypiToken'
  | 'googleKey'
  | 'stripeKey'
  | 'jwt'
  | 'trackerToken'
  | 'password'
  | 'authorization'
  /** Known by the file's name alone. */
  | 'secretFile';

export interface SecretFinding {
  readonly kind: SecretKind;
  /** From 1; absent when the name tells, not a line. */
  readonly line?: number;
  /** The beginning of what was found, the rest as dots; safe to show. */
  readonly masked?: string;
}

type LineKind = Exclude<SecretKind, 'secretFile' | 'privateKey'>;

/** Forms that their makers gave tokens so that they can be told from other text. The last group, where there is one, is the secret. */
const PATTERNS: readonly (readonly [LineKind, RegExp])[] = [
  ['awsKey', /(?<![A-Z0-9])((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})(?![A-Z0-9])/g],
  [
    'awsKey',
    /aws_?secret_?(?:access_?)?key(?:_?id)?["']?\s{0,3}[:=]\s{0,3}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  ],
  ['githubToken', /(?<![A-Za-z0-9_])(gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})(?![A-Za-z0-9_])/g],
  ['gitlabToken', /(?<![\w-])(gl(?:pat|ptt|dt|rt|oas|soat|cbt|ft|imt|agent)-[\w-]{20,255})/g],
  ['slackToken', /(?<![\w-])(xox[abeoprs]-\d[\w-]{20,255}|xapp-\d-[\w-]{20,255})/g],
  ['slackToken', /(https:\/\/hooks\.slack\.com\/services\/T\w{6,20}\/B\w{6,20}\/\w{20,40})/g],
  ['npmToken', /(?<![A-Za-z0-9_])(npm_[A-Za-z0-9]{36})(?![A-Za-z0-9_])/g],
  ['npmToken', /:_(?:authToken|auth|password)\s{0,3}=\s{0,3}["']?([\w+/=-]{12,255})/g],
  ['pypiToken', /(?<![\w-])(pypi-AgE[\w-]{50,255})/g],
  ['googleKey', /(?<![\w-])(AIza[\w-]{35})(?![\w-])/g],
  ['stripeKey', /(?<!\w)((?:sk|rk)_live_[A-Za-z0-9]{20,255})/g],
  ['jwt', /(?<![\w-])(eyJ[\w-]{10,2000}\.eyJ[\w-]{10,2000}\.[\w-]{20,2000})/g],
  ['trackerToken', /X-(?:Service|Tracker)Token["']?\s{0,3}[:=,]\s{0,3}["']?([\w-]{24,64})(?![\w-])/gi],
  ['trackerToken', /\/(?:github|source)_commits\?token=([\w-]{24,64})(?![\w-])/g],
  ['password', /:\/\/[^\s/?#@:"'`<>]{0,255}:([^\s/?#@"'`<>{}$]{4,255})@/g],
  ['authorization', /authorization["']?\s{0,3}[:=]\s{0,3}["'`]?(?:basic|bearer)\s{1,3}([\w+/=.~-]{16,4096})/gi],
];

/** What every one of them has; most lines have none of it, and cost nothing more. */
const TRIGGER =
  /A[KSBC][IC]A|secret|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox|xapp-|hooks\.slack|npm_|:_(?:auth|pass)|pypi-|AIza|k_live_|eyJ|token|authorization|:\/\/[^\s/]{2,511}@/i;

/** The head of a private key of any make (PEM, OpenSSH, PGP, SSH2), with what follows it on the line. */
const KEY_HEAD = /-{4,5} ?BEGIN (?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}(.{0,200})/;
const PUTTY_KEY = /^PuTTY-User-Key-File-\d: /;
/** A line of a key's own text; in other files it may be quoted or be followed by `\n`. */
const KEY_TEXT = /(?:^|\\n)[\s"'`+>#*/-]{0,40}[A-Za-z0-9+/]{24}/;
/** A key's head may be followed by so many lines about it, as `Proc-Type:` or `Version:` and an empty one. */
const HEAD_LINES = 8;
/** What documents and tests write where a secret would be. */
const MADE_UP = /^(?:pass(?:w(?:or)?d)?|pwd|secret)$|EXAMPLE|X{6}|x{6}|\*{6}|\.{3}|<[^<>]*>|0{12}|1234567890|(.)\1{9}/;
const SHOWN = 4;

/**
 * Looks for secrets in a text that is given line by line. A key counts once its text follows its head, so that code that only
 * names such a head is left in peace, as are the made-up tokens of documents.
 */
export class SecretLines {
  private line = 0;
  private head: { readonly line: number; readonly text: string; readonly until: number } | undefined;

  take(text: string): readonly SecretFinding[] {
    this.line++;
    return [...this.privateKey(text), ...this.tokens(text)];
  }

  private privateKey(text: string): readonly SecretFinding[] {
    const { line } = this;
    if (PUTTY_KEY.test(text)) return [{ kind: 'privateKey', line, masked: masked(text, SHOWN) }];
    const match = KEY_HEAD.exec(text);
    if (match) this.head = { line, text: match[0], until: line + HEAD_LINES };
    const { head } = this;
    if (!head || line > head.until) return [];
    if (!KEY_TEXT.test(match ? (match[1] ?? '') : text) || (match && match[1] === '')) return [];
    this.head = undefined;
    return [{ kind: 'privateKey', line: head.line, masked: masked(head.text.trimStart(), 27) }];
  }

  private tokens(text: string): readonly SecretFinding[] {
    if (!TRIGGER.test(text)) return [];
    const found = PATTERNS.flatMap(([kind, pattern]) => {
      const secrets = [...text.matchAll(pattern)].map(([, secret = '']) => secret);
      const secret = secrets.find((one) => !MADE_UP.test(one));
      return secret === undefined
        ? []
        : [{ kind, line: this.line, masked: masked(secret, Math.min(SHOWN, secret.length >> 2)) }];
    });
    return found.filter(({ kind }, index) => found.findIndex((one) => one.kind === kind) === index);
  }
}

function masked(secret: string, shown: number): string {
  return `${secret.slice(0, shown)}…`;
}

const NAMES: readonly RegExp[] = [
  /^\.env(?:\.(?!(?:example|sample|template|dist|defaults|schema)$)[\w.-]+)?$/,
  /^(?!(?:.*\.)?(?:example|sample|template|dist|defaults|schema)\.env$)[\w.-]+\.env$/,
  /^\.envrc$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^(?:\.npmrc|\.pypirc|[._]netrc|\.git-credentials|\.pgpass|\.htpasswd|\.dockercfg|\.s3cfg|\.vault-token)$/,
  /^(?:\.?kubeconfig|kubeconfig\.ya?ml|[\w.-]+\.kubeconfig)$/,
  /\.(?:p12|pfx|jks|keystore|ppk|kdbx|keychain(?:-db)?)$/,
];

const PATHS: readonly RegExp[] = [
  /(?:^|\/)\.kube\/config$/,
  /(?:^|\/)\.aws\/credentials$/,
  /(?:^|\/)\.docker\/config\.json$/,
  /(?:^|\/)\.gnupg\/(?:private-keys-v1\.d\/.+|secring\.gpg)$/s,
];

/** Whether files of this name hold secrets as a rule, whatever is in this one. `path` may be a mere name. */
export function isSecretName(path: string): boolean {
  const plain = path.replaceAll('\\', '/').toLowerCase();
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  return NAMES.some((pattern) => pattern.test(name)) || PATHS.some((pattern) => pattern.test(plain));
}
