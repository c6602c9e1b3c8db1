import { vsCode } from './elements.ts';

type Memory = Readonly<Record<string, unknown>>;

/** What the page keeps over a reload. */
export function remembered(): Memory {
  const state = vsCode.getState();
  return typeof state === 'object' && state !== null ? { ...state } : {};
}

/** Keeps these besides what else is kept. */
export function remember(change: Memory): void {
  vsCode.setState({ ...remembered(), ...change });
}
