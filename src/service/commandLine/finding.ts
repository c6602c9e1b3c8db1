/** A command is done, and found something that is wrong: what it prints is the message, and it ends with 1. */
export class Finding extends Error {
  override readonly name = 'Finding';
}
