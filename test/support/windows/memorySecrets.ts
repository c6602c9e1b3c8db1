import type * as vscode from 'vscode';
import { Emitter } from '../../../src/host/shell/emitter.ts';

/** A SecretStorage that forgets with the test. */
export class MemorySecrets implements vscode.SecretStorage {
  private readonly values = new Map<string, string>();
  private readonly changed = new Emitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.changed.event;

  async keys(): Promise<string[]> {
    return [...this.values.keys()];
  }

  async get(key: string): Promise<string | undefined> {
    return this.values.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    this.values.set(key, value);
    this.changed.fire({ key });
  }

  async delete(key: string): Promise<void> {
    this.values.delete(key);
    this.changed.fire({ key });
  }
}
