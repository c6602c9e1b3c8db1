import { messageOf } from '../../core/errors.ts';
import { type ShownPlace, shownPlace } from '../../core/moves/newPlaces.ts';
import type { Membership, Project } from '../../core/story/project.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story, StoryEdit } from '../../core/story/story.ts';
import { rememberedNames } from '../../host/accounts/ownNames.ts';
import type { App } from '../../host/app.ts';
import { withEstimates } from '../../host/story/estimatedEdit.ts';

/** What of a project decides what a story's page offers, and where the story is in it. */
export type PanelProject = Partial<
  Pick<Project, 'name' | 'bugsAndChoresAreEstimatable' | 'integrations' | 'pointScale' | 'labels' | 'memberships'>
> & {
  readonly place?: ShownPlace;
  /** What the person is called there; absent where nobody knows. */
  readonly me?: string;
};

/** A story's project as its tab knows it: what the backlogs hold, and what else the server tells of it when it is asked. */
export class StoryProject {
  private readonly needs: Pick<App, 'backlogs' | 'log' | 'workspaceMemory'>;
  private readonly key: ProjectKey;
  /** Members of a project that is listed without any, once they were asked for. */
  private members: readonly Membership[] | undefined;

  constructor(needs: StoryProject['needs'], key: ProjectKey) {
    this.needs = needs;
    this.key = key;
  }

  /** Nothing of it before the backlogs know the project. */
  get rules(): PanelProject {
    const project = this.needs.backlogs.peek(this.key)?.project ?? {};
    return this.members ? { ...project, memberships: this.members } : project;
  }

  /** As `rules`, with what is so for one of its stories. */
  rulesFor(storyId: number): PanelProject {
    const backlog = this.needs.backlogs.peek(this.key);
    const place = backlog && shownPlace(backlog, storyId);
    const me = rememberedNames(this.needs.workspaceMemory)[this.key.accountId];
    return { ...this.rules, ...(place && { place }), ...(me !== undefined && { me }) };
  }

  /** A begun story of another type may need an estimate, which it could not have before; undefined where the person gave none. */
  async estimated(story: Story, edit: StoryEdit): Promise<StoryEdit | undefined> {
    const project = this.needs.backlogs.peek(this.key)?.project;
    if (edit.type === undefined || !project) return edit;
    return (await withEstimates([{ story, edit }], project))?.[0];
  }

  /** Some servers list projects without their members, which are asked for once; whether they were asked for now. */
  async askForMembers(): Promise<boolean> {
    const { memberships } = this.rules;
    if (memberships?.length !== 0 || this.members) return false;
    this.members = [];
    try {
      this.members = await this.needs.backlogs.tracker(this.key).listMemberships(this.key.projectId);
    } catch (thrown) {
      this.needs.log.debug(`there are no members to choose from: ${messageOf(thrown)}`);
    }
    return true;
  }
}
