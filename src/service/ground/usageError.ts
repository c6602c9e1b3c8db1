/** The command line was not understood: said in a sentence, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
