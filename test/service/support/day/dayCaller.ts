import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, type RequestOptions, request } from '../request.ts';
import type { DayKind, DayTimes } from './dayTimes.ts';

/** Milliseconds after which a request counts as not answered; an import waits for others before it. */
const [PATIENCE, LONG_PATIENCE] = [30_000, 300_000];
/** Milliseconds until a caller that had no answer tries elsewhere. */
const REST = 100;

/** Where the processes of the service are at the moment. */
export type Addresses = () => readonly string[];

/** Someone who calls the service, by another process where one is away. */
export class DayCaller {
  private readonly addresses: Addresses;
  private readonly token: string;
  private readonly times: DayTimes;
  /** Aborted when the service is gone for good, so that nobody tries for ever. */
  private readonly gone: AbortSignal;
  private at: number;

  constructor(addresses: Addresses, token: string, times: DayTimes, gone: AbortSignal, at: number) {
    this.addresses = addresses;
    this.token = token;
    this.times = times;
    this.gone = gone;
    this.at = at;
  }

  /** One request. Throws where there is no answer, or one that is not about the request: then nobody knows what became of it. */
  async ask(kind: DayKind, path: string, options: RequestOptions = {}): Promise<Answer> {
    this.gone.throwIfAborted();
    const all = this.addresses();
    const url = `${all[this.at % all.length]}/services/v3${path}`;
    try {
      return await this.times.note(kind, async () => {
        const asked = request(url, { ...options, token: this.token });
        const patience = kind === 'import' ? LONG_PATIENCE : PATIENCE;
        const late = wait(patience, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')));
        const answer = await Promise.race([asked, late]);
        if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text}`);
        return answer;
      });
    } catch (thrown) {
      this.at += 1;
      await wait(REST);
      throw thrown;
    }
  }

  /** Reads what is there, until there is an answer. Throws once the service is gone for good. */
  async read(kind: DayKind, path: string): Promise<Answer> {
    for (;;) {
      const answer = await this.ask(kind, path).catch(() => undefined);
      if (answer) return answer;
      this.gone.throwIfAborted();
    }
  }
}
