/** What a workspace remembers, as it is after a reload: nothing but what can be written down. */
export class WorkspaceMemory {
  private readonly texts = new Map<string, string>();

  keys(): readonly string[] {
    return [...this.texts.keys()];
  }

  get(key: string): unknown {
    const text = this.texts.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.texts.delete(key);
    else this.texts.set(key, JSON.stringify(value));
  }

  /** Characters of all that is remembered. */
  get size(): number {
    return [...this.texts.values()].reduce((sum, { length }) => sum + length, 0);
  }
}
