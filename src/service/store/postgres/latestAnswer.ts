/** Milliseconds for which those who ask are waited for who asked at the same time before; the shortest that there is. */
const PATIENCE = 1;

/** Those who share an answer that is not asked for yet. */
interface Sharers<T> {
  readonly answer: PromiseWithResolvers<T>;
  count: number;
}

/**
 * A question whose answer must not be older than the asking: those who ask while it is out share the next one, so that one at
 * a time is out however many ask. One who asks alone waits for nobody; where several ask at once again and again, the next
 * question waits a moment until half as many are there, since it costs more than all else about an answer.
 */
export function latestAnswer<T>(ask: () => Promise<T>): () => Promise<T> {
  const question = new Question(ask);
  return () => question.ask();
}

class Question<T> {
  private readonly question: () => Promise<T>;
  private next: Sharers<T> | undefined;
  private isOut = false;
  private expected = 1;
  private timer: NodeJS.Timeout | undefined;

  constructor(question: () => Promise<T>) {
    this.question = question;
  }

  ask(): Promise<T> {
    this.next ??= { answer: Promise.withResolvers(), count: 0 };
    this.next.count += 1;
    const { answer } = this.next;
    if (!this.isOut) this.beginSoon(this.next);
    return answer.promise;
  }

  private beginSoon(sharers: Sharers<T>): void {
    if (sharers.count >= this.expected) this.begin(sharers);
    else this.timer ??= setTimeout(() => this.begin(sharers), PATIENCE);
  }

  private begin(sharers: Sharers<T>): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.next = undefined;
    this.isOut = true;
    const isBack = (): void => {
      this.isOut = false;
      this.expected = Math.ceil((sharers.count + (this.next?.count ?? 0)) / 2);
      if (this.next) this.beginSoon(this.next);
    };
    this.question().then(sharers.answer.resolve, sharers.answer.reject).finally(isBack);
  }
}
