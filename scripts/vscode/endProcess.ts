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

/** Lets nothing of `child` outlive this process, however it ends short of being killed. */
export function endWithUs(child: ChildProcess): void {
  const kill = () => signal(child, 'SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}
