import { Emitter, type Event, type Subscription } from '../shell/emitter.ts';

/** A server one is signed in to, as one user. The built-in service has no stored address and no stored token. */
export interface Account {
  readonly id: string;
  readonly label: string;
  readonly kind: 'builtIn' | 'server';
  /** Absent for the built-in service, whose port changes. */
  readonly baseUrl?: string;
  /** Whom the token belongs to, once that was asked: for a server where several people are signed in. */
  readonly person?: { readonly name: string; readonly email?: string };
  /** When its token was given, in milliseconds since the epoch: with another token one may be another person. */
  readonly tokenSince?: number;
}

export const BUILT_IN_ID = 'builtIn';

/** What is used of VS Code's SecretStorage; all windows share it. */
interface Secrets {
  readonly onDidChange: Event<{ readonly key: string }>;
  keys(): PromiseLike<readonly string[]>;
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** What is used of VS Code's memory, which outlasts a SecretStorage that has no keyring. */
interface Memory {
  get<T>(key: string, fallback: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

const SIGNED_IN = 'storyTracker.signedIn';

interface StoredAccount extends Account {
  readonly token?: string;
  /** Milliseconds since the epoch when it was first added; accounts are listed in this order. */
  readonly since: number;
}

const SECRET_PREFIX = 'storyTracker.account.';

/**
 * The accounts as they are kept, with their tokens, among the secrets and nowhere else. Each token lives in one record with
 * the address it was given for, so that no setting can send it elsewhere; each account has a secret of its own, so that
 * windows which write at the same time lose none.
 */
export class AccountStore {
  private readonly secrets: Secrets;
  private readonly memory: Memory | undefined;
  private readonly changed = new Emitter<void>();
  private readonly listening: Subscription;
  private writing: Promise<unknown> = Promise.resolve();
  private accounts: Promise<readonly StoredAccount[]> | undefined;
  /** What was last read or written here, to tell other windows' changes from our own. */
  private lastText: string | undefined;

  readonly onDidChange = this.changed.event;

  /** `memory` remembers whether someone is signed in, and nothing more. */
  constructor(secrets: Secrets, memory?: Memory) {
    this.secrets = secrets;
    this.memory = memory;
    this.listening = secrets.onDidChange(({ key }) => {
      if (key.startsWith(SECRET_PREFIX)) void this.noticeOtherWindow();
    });
  }

  /** In the order in which they were first added. */
  stored(): Promise<readonly StoredAccount[]> {
    this.accounts ??= this.read().catch((thrown: unknown) => {
      this.accounts = undefined;
      throw thrown;
    });
    return this.accounts;
  }

  /** Whether someone had signed in, and not out again, whose token has not been kept. */
  async isForgotten(): Promise<boolean> {
    const isSomeone = (await this.stored()).length > 0;
    if (isSomeone) await this.rememberSignedIn(true);
    return !isSomeone && this.memory?.get<boolean>(SIGNED_IN, false) === true;
  }

  /** As `stored`, without the tokens. */
  async list(): Promise<readonly Account[]> {
    const stored = await this.stored();
    return stored.map(({ token: _token, since: _since, ...account }) => account);
  }

  /** Adds the account or replaces the one with its id, which keeps its place. */
  async add(account: Account, token?: string): Promise<void> {
    await this.write(async (stored) => {
      const latest = Math.max(0, ...stored.map(({ since }) => since));
      const before = stored.find(({ id }) => id === account.id);
      const since = before?.since ?? Math.max(Date.now(), latest + 1);
      const tokenSince = before?.token === token ? (before?.tokenSince ?? since) : Date.now();
      const record: StoredAccount = { ...account, since, ...(token === undefined ? {} : { token, tokenSince }) };
      await this.secrets.store(SECRET_PREFIX + account.id, JSON.stringify(record));
    });
  }

  async remove(accountId: string): Promise<void> {
    await this.write(() => this.secrets.delete(SECRET_PREFIX + accountId));
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private async read(): Promise<readonly StoredAccount[]> {
    const keys = (await this.secrets.keys()).filter((key) => key.startsWith(SECRET_PREFIX));
    const texts = await Promise.all(keys.map((key) => this.secrets.get(key)));
    const stored = texts.flatMap(storedAccount).toSorted((one, other) => one.since - other.since);
    this.lastText = JSON.stringify(stored);
    return stored;
  }

  private async noticeOtherWindow(): Promise<void> {
    await this.writing;
    const before = this.lastText;
    await this.read();
    if (this.lastText !== before) this.reread();
  }

  private write(change: (stored: readonly StoredAccount[]) => PromiseLike<void>): Promise<void> {
    const done = this.writing.then(async () => {
      await change(await this.read());
      await this.rememberSignedIn((await this.read()).length > 0);
      this.reread();
    });
    this.writing = done.catch(() => undefined);
    return done;
  }

  private async rememberSignedIn(isSomeone: boolean): Promise<void> {
    if (this.memory && this.memory.get(SIGNED_IN, false) !== isSomeone) await this.memory.update(SIGNED_IN, isSomeone);
  }

  private reread(): void {
    this.accounts = undefined;
    this.changed.fire();
  }
}

/** None when the text is not ours: then signing in again mends it. */
function storedAccount(text: string | undefined): readonly StoredAccount[] {
  try {
    const parsed: unknown = JSON.parse(text ?? 'null');
    return isStoredAccount(parsed) ? [parsed] : [];
  } catch {
    return [];
  }
}

function isStoredAccount(value: unknown): value is StoredAccount {
  if (typeof value !== 'object' || value === null) return false;
  const { id, label, kind, since } = value as Record<string, unknown>;
  const isKind = kind === 'builtIn' || kind === 'server';
  return typeof id === 'string' && typeof label === 'string' && typeof since === 'number' && isKind;
}
