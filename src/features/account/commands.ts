/** What the commands of this slice do; loaded when the first of them is used. */
export { checkConnection } from './checkConnection.ts';
export { signIn, signOut } from './signIn.ts';
