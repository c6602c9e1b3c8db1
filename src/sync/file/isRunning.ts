/** Whether a process of this machine is still there; one of another user counts as well. */
export function isRunning(process: number): boolean {
  try {
    return globalThis.process.kill(process, 0);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
