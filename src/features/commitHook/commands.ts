/** What the commands of this slice do; loaded when the first of them is used. */
export { copyCommitHookAddress, installCommitHook, removeCommitHook } from './installCommitHook.ts';
