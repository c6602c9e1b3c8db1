/** What the commands of this slice do; loaded when the first of them is used. */
export { copyCommitHookAddress } from './copyCommitHookAddress.ts';
export { installCommitHook, removeCommitHook } from './installCommitHook.ts';
