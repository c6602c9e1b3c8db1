import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a child started with `detached` and everything it started; asks first, insists after `patience` milliseconds. */
export async function endProcess(child: ChildProcess, patience = 5000): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    signal(child, 'SIGTERM');
    const timer = setTimeout(() => signal(child, 'SIGKILL'), patience);
    await gone;
    clearTimeout(timer);
  }
  signal(child, 'SIGKILL');
}

function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // The group is already gone, which is what was asked for.
  }
}

/**
 * Lets nothing of `child` outlive this process, however it ends short of being killed. Comes before all else that is done at the end:
 * folders go more easily once nobody writes into them.
 */
export function endWithUs(child: ChildProcess): void {
  const kill = () => signal(child, 'SIGKILL');
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

/**
 * Ends this process with code 130 when a signal asks for it. The listeners stay: were they gone, a second signal, as when both npm and
 * a terminal pass one on, would kill this process before it has ended its children.
 */
export function exitOnSignals(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => process.exit(130));
}
