/** What the commands of this slice do; loaded when the first of them is used. */
export { retryOutbox } from './retryOutbox.ts';
export { showOutbox } from './showOutbox.ts';
