import type { ActiveStories, ActiveStory } from '../../core/activeStory/storyBinding.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { rowOf } from '../file/replicaRows.ts';

/** The active stories in the replica's file. */
export class StoredActiveStories implements ActiveStories {
  private readonly file: ReplicaFile;

  constructor(file: ReplicaFile) {
    this.file = file;
  }

  async get(repository: string): Promise<ActiveStory | undefined> {
    await this.file.ready();
    const row = this.file.run((database) =>
      rowOf(database, 'SELECT accountId, project, story FROM activeStory WHERE repository = ?', repository),
    );
    return row && { accountId: String(row.accountId), projectId: Number(row.project), storyId: Number(row.story) };
  }

  async set(repository: string, story: ActiveStory | undefined): Promise<void> {
    await this.file.ready();
    this.file.change((database) => {
      if (!story) database.prepare('DELETE FROM activeStory WHERE repository = ?').run(repository);
      else {
        const put = database.prepare('INSERT OR REPLACE INTO activeStory VALUES (?, ?, ?, ?)');
        put.run(repository, story.accountId, story.projectId, story.storyId);
      }
    });
  }
}
