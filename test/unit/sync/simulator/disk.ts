import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { SimFile } from './simFile.ts';

/** What goes wrong with the one file that all windows share, done with SQLite's own means. */
export class Disk {
  readonly path: string;
  private holder: DatabaseSync | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Another program writes and does not end. */
  hold(): void {
    if (this.holder || !existsSync(this.path)) return;
    const holder = new DatabaseSync(this.path);
    try {
      holder.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE');
      this.holder = holder;
    } catch {
      holder.close(); // Damaged before, or in use.
    }
  }

  release(): void {
    this.holder?.close();
    this.holder = undefined;
  }

  /** The next write that needs room has none. */
  fill(file: SimFile): void {
    if (!file.isOpen) return;
    file.run((database) => {
      const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
      database.exec(`PRAGMA max_page_count = ${pages}`);
    });
  }

  /** There is room again. */
  empty(file: SimFile): void {
    if (file.isOpen) file.run((database) => database.exec(`PRAGMA max_page_count = ${2 ** 30}`));
  }

  /** Overwrites the beginning, where the header is. */
  corrupt(): void {
    if (!existsSync(this.path)) return;
    const file = openSync(this.path, 'r+');
    writeSync(file, 'Lorem ipsum dolor sit amet. '.repeat(40), 0);
    closeSync(file);
  }

  /** As a later version of the extension leaves it. */
  becomeNewer(): void {
    if (!existsSync(this.path)) return;
    const database = new DatabaseSync(this.path);
    try {
      database.exec('PRAGMA user_version = 99');
    } catch {
      // It has been damaged before.
    } finally {
      database.close();
    }
  }
}
