import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { type GitRepositoryFolder, gitIn } from '../support/git/gitRepository.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';

/** A story of a project of its own. */
export interface LinkedStory {
  readonly projectId: number;
  readonly storyId: number;
}

/** A server that can go away and come back where it was, and a folder with repositories to open as a workspace. */
export class CommitWorkspace {
  readonly root: string;
  private readonly script: string;
  private readonly data: string;
  private service: RunningService;

  private constructor(root: string, script: string, data: string, service: RunningService) {
    this.root = root;
    this.script = script;
    this.data = data;
    this.service = service;
  }

  static async create(script: string): Promise<CommitWorkspace> {
    const aside = await realpath(await mkdtemp(join(tmpdir(), 'story-tracker-new-commits-')));
    const [root, data] = [join(aside, 'work'), join(aside, 'data')];
    await mkdir(root);
    return new CommitWorkspace(root, script, data, await runningService(script, data));
  }

  get url(): string {
    return this.service.url;
  }

  get token(): string {
    return this.service.token;
  }

  /** Beside the folder that is opened. */
  beside(name: string): string {
    return join(this.root, '..', name);
  }

  /** As `RunningService.ask`, of the server as it is now. */
  ask(method: string, path: string, body?: string): Promise<string> {
    return this.service.ask(method, path, body);
  }

  /** A project with one story; `wishName` is what settings call the project. */
  async story(name: string): Promise<LinkedStory & { readonly wishName: string }> {
    const project = await this.service.ask('POST', '/projects', `<project><name>${name}</name></project>`);
    const projectId = Number(elementText(project, 'id'));
    const fields = '<current_state>unstarted</current_state><estimate>2</estimate><story_type>feature</story_type>';
    const story = `<story><name>${name}</name>${fields}</story>`;
    const answer = await this.service.ask('POST', `/projects/${projectId}/stories`, story);
    const storyId = Number(elementText(answer, 'id'));
    return { projectId, storyId, wishName: `${new URL(this.service.url).host}/${projectId}` };
  }

  /** The texts of a story's comments on the server, oldest first. */
  async comments({ projectId, storyId }: LinkedStory): Promise<readonly string[]> {
    const notes = await this.service.ask('GET', `/projects/${projectId}/stories/${storyId}/notes`);
    return notes
      .split('<note>')
      .slice(1)
      .map((note) => elementText(note, 'text') ?? '');
  }

  async state({ projectId, storyId }: LinkedStory): Promise<string | undefined> {
    return elementText(await this.service.ask('GET', `/projects/${projectId}/stories/${storyId}`), 'current_state');
  }

  /** How many comments of the story speak of each commit. */
  async counts(story: LinkedStory, hashes: readonly string[]): Promise<readonly number[]> {
    const comments = await this.comments(story);
    return hashes.map((hash) => comments.filter((text) => text.includes(hash)).length);
  }

  /** Waits until the story has a comment on the commit. */
  async linked(story: LinkedStory, hash: string): Promise<void> {
    await eventually(async () => {
      const [count = 0] = await this.counts(story, [hash]);
      if (count === 0) throw new Error(`Commit ${hash} is not on story ${story.storyId}.`);
    }, 40_000);
  }

  /** A repository below the folder, as `git` in a terminal sees it. */
  async repository(name: string): Promise<GitRepositoryFolder> {
    const repository = await gitIn(join(this.root, name));
    await repository.git('init', '--quiet', '--initial-branch=main');
    await repository.git('config', 'user.name', 'Ada Lovelace');
    await repository.git('config', 'user.email', 'ada@example.org');
    return repository;
  }

  async goAway(): Promise<void> {
    await this.service.stop();
  }

  async comeBack(): Promise<void> {
    this.service = await runningService(this.script, this.data, Number(new URL(this.service.url).port));
  }

  async remove(): Promise<void> {
    await this.service.stop();
    await rm(join(this.root, '..'), { recursive: true, force: true, maxRetries: 5 });
  }
}
