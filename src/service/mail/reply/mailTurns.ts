import { FairQueue } from '../../ground/fairQueue.ts';

/** Work on mails, one after the other, so that only one takes memory; the senders have turns, so that none waits for all mails of another. */
export class MailTurns {
  private readonly waiting = new FairQueue<() => void>();
  private isTaken = false;

  async take<T>(sender: string, work: () => Promise<T>): Promise<T> {
    if (this.isTaken) await new Promise<void>((resolve) => this.waiting.add(sender, resolve));
    this.isTaken = true;
    try {
      return await work();
    } finally {
      const next = this.waiting.next();
      if (next) next();
      else this.isTaken = false;
    }
  }
}
