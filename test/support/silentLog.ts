import type { Log } from '../../src/core/log.ts';

/** Keeps nothing of what it is told. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
