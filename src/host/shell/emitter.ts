/** What ends a subscription; VS Code takes it wherever it takes its own. */
export interface Subscription {
  dispose(): void;
}

/** Has a listener told from now on, until what it returns is disposed. VS Code's own events are such, too. */
export type Event<T> = (listener: (value: T) => unknown) => Subscription;

/** An event of ours, for code that has to run without VS Code. */
export class Emitter<T> {
  private readonly listeners = new Set<{ readonly tell: (value: T) => unknown }>();

  readonly event: Event<T> = (listener) => {
    const added = { tell: listener };
    this.listeners.add(added);
    return { dispose: () => void this.listeners.delete(added) };
  };

  /** Tells those who listen now, in the order in which they came. One that throws does not stop the others. */
  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      // Someone told before it may have ended its subscription.
      if (this.listeners.has(listener)) callListener(listener, value);
    }
  }

  /** Tells nobody any more. */
  dispose(): void {
    this.listeners.clear();
  }
}

function callListener<T>(listener: { readonly tell: (value: T) => unknown }, value: T): void {
  try {
    listener.tell(value);
  } catch (thrown) {
    // As with VS Code's events: whoever fired did nothing wrong, and the host reports it.
    queueMicrotask(() => {
      throw thrown;
    });
  }
}
