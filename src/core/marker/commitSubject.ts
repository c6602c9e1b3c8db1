/**
 * Whether a commit is only there until `git rebase --autosquash` works it into the one whose subject, marker included, it
 * repeats; what comes of both is a commit of its own.
 */
export function isProvisional(message: string): boolean {
  return /^(?:fixup|squash|amend)! /.test(message);
}

/** Whether a commit takes another one back, whose subject it quotes; one that takes such a commit back does not. */
export function isRevert(message: string): boolean {
  const [quoting = ''] = /^(?:Revert ")*/.exec(message) ?? [];
  return (quoting.length / 'Revert "'.length) % 2 === 1;
}
