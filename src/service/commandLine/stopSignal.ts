/** Settles when the process is told to stop: by a signal, or, where asked, by its standard input closing. */
export function stopSignal(watchInput: boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => resolve();
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    if (!watchInput) return;
    process.stdin.on('end', stop).on('close', stop).on('error', stop);
    process.stdin.resume();
  });
}
