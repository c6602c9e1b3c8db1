/** Calls that are remembered; a person answers one question after the other. */
const MOST = 20;

/**
 * What each call of a tool was about when the person was asked, so that what is done is what was confirmed. VS Code passes nothing
 * from the question to the call but the input, so that tells calls apart.
 */
export class Confirmations {
  private readonly meant = new Map<string, readonly string[]>();

  note(tool: string, input: unknown, meant: string): void {
    const call = callText(tool, input);
    const before = this.meant.get(call) ?? [];
    this.meant.delete(call);
    this.meant.set(call, [...before, meant]);
    const [oldest] = this.meant.keys();
    if (this.meant.size > MOST && oldest !== undefined) this.meant.delete(oldest);
  }

  isAsked(tool: string, input: unknown): boolean {
    return this.meant.has(callText(tool, input));
  }

  /**
   * Whether all that was asked about this call was about `meant`; then one of the questions is over, else all are, so that the next
   * one counts alone.
   */
  isConfirmed(tool: string, input: unknown, meant: string): boolean {
    const call = callText(tool, input);
    const asked = this.meant.get(call) ?? [];
    const isSame = asked.every((one) => one === meant);
    if (isSame && asked.length > 1) this.meant.set(call, asked.slice(1));
    else this.meant.delete(call);
    return isSame;
  }
}

function callText(tool: string, input: unknown): string {
  return `${tool} ${JSON.stringify(input)}`;
}
