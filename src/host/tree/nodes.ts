import type { Iteration } from '../../core/story/iteration.ts';
import type { Project } from '../../core/story/project.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';

/** Which of a project's groups an iteration row stands for. */
export type GroupKind = 'current' | 'backlog' | 'done' | 'icebox';

/**
 * Rows of the story tree. Commands from the tree receive them; classes, so that they are told from plain arguments.
 * A row lives as long as the thing it stands for is shown: the tree puts new values into it, so that what is selected
 * or dragged is never stale.
 */
export class ProjectNode {
  readonly key: ProjectKey;
  project: Project;
  /** Whose sign-in to which server it is of, where there are several, or where another project has the same name. */
  account: string | undefined;
  constructor(key: ProjectKey, project: Project, account?: string) {
    this.key = key;
    this.project = project;
    this.account = account;
  }
}

export class IterationNode {
  readonly key: ProjectKey;
  group: GroupKind;
  /** Absent for the icebox and for the row that holds all done iterations. */
  iteration: Iteration | undefined;
  /** Those that are shown. */
  stories: readonly Story[];
  /** How many it has, when a filter hides some. */
  total: number | undefined;
  constructor(key: ProjectKey, group: GroupKind, iteration: Iteration | undefined, stories: readonly Story[]) {
    this.key = key;
    this.group = group;
    this.iteration = iteration;
    this.stories = stories;
  }
}

/** What stories can have in common, besides their iteration. */
export type Grouping = 'state' | 'owner' | 'label' | 'type';

/** Stories of a project with the same state, owner, label or type. */
export class GroupNode {
  readonly key: ProjectKey;
  readonly by: Grouping;
  /** Absent for stories without an owner or a label. */
  readonly value: string | undefined;
  /** Those that are shown. */
  stories: readonly Story[];
  /** How many there are, when a filter hides some. */
  total: number | undefined;
  constructor(key: ProjectKey, by: Grouping, value: string | undefined, stories: readonly Story[]) {
    this.key = key;
    this.by = by;
    this.value = value;
    this.stories = stories;
  }
}

/** A filter that was saved, with the stories of all projects that fit it. */
export class SavedFilterNode {
  readonly name: string;
  text: string;
  /** In priority order, project by project. */
  found: readonly FoundStory[] = [];
  /** Some project has not been read yet, so there may be more. */
  isPartial = false;
  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }
}

export class StoryNode {
  readonly key: ProjectKey;
  story: Story;
  parent: IterationNode | GroupNode | SavedFilterNode;
  constructor(key: ProjectKey, story: Story, parent: IterationNode | GroupNode | SavedFilterNode) {
    this.key = key;
    this.story = story;
    this.parent = parent;
  }
}

/** A task, attachment or comment below a story. */
export class DetailNode {
  readonly parent: StoryNode;
  readonly kind: 'task' | 'attachment' | 'note';
  readonly id: number;
  constructor(parent: StoryNode, kind: 'task' | 'attachment' | 'note', id: number) {
    this.parent = parent;
    this.kind = kind;
    this.id = id;
  }
}

/** "Show more" at the end of the done iterations, or of a project whose stories are grouped otherwise. */
export class MoreNode {
  readonly key: ProjectKey;
  readonly parent: IterationNode | ProjectNode;
  constructor(key: ProjectKey, parent: IterationNode | ProjectNode) {
    this.key = key;
    this.parent = parent;
  }
}

/** Says that a filter has not looked into the done iterations that are not loaded; they are searched when it is chosen. */
export class DoneSearchNode {
  readonly parent: IterationNode | ProjectNode | SavedFilterNode;
  /** How far the search is. */
  progress: SearchProgress = { state: 'offered' };
  constructor(parent: IterationNode | ProjectNode | SavedFilterNode) {
    this.parent = parent;
  }
}

export type SearchProgress =
  | { readonly state: 'offered' | 'searching' }
  /** With a sentence that says why. */
  | { readonly state: 'failed'; readonly problem: string };

export type NoticeAction =
  | 'checkConnection'
  | 'clearFilter'
  | 'editFilter'
  | 'newStoryInTab'
  | 'refresh'
  | 'showHiddenProjects'
  | 'signIn';

/** An account by its id, and as it is called. */
export interface NoticeAccount {
  readonly id: string;
  readonly label: string;
}

/** In place of rows that could not be read, or that there are none of, a sentence why; none while they are being read. */
export class NoticeNode {
  /** Absent for a row on top. */
  readonly parent: ProjectNode | SavedFilterNode | undefined;
  text: string | undefined;
  /** Nothing is wrong. */
  isQuiet = false;
  /** What choosing the row does. */
  action: NoticeAction | undefined;
  /** Whose server does not accept the sign-in any more. */
  account: NoticeAccount | undefined;
  constructor(parent: NoticeNode['parent'], text: string | undefined) {
    this.parent = parent;
    this.text = text;
  }
}

export type TreeNode =
  | ProjectNode
  | IterationNode
  | GroupNode
  | SavedFilterNode
  | StoryNode
  | DetailNode
  | MoreNode
  | DoneSearchNode
  | NoticeNode;

/** A row about a story that need not be among those that were read; commands take it as they take a story's own row. */
export class NamedStory {
  readonly key: ProjectKey;
  readonly storyId: number;
  constructor(key: ProjectKey, storyId: number) {
    this.key = key;
    this.storyId = storyId;
  }
}

/** A story, and which account's project it is in. */
export interface FoundStory {
  readonly key: ProjectKey;
  readonly story: Story;
}

/** A story that our own code has at hand, listed or not; commands take it as they take a story's row. */
export class GivenStory implements FoundStory {
  readonly key: ProjectKey;
  readonly story: Story;
  constructor({ key, story }: FoundStory) {
    this.key = key;
    this.story = story;
  }
}

/** What the keys of the view pass, so that they are told from the palette. */
export const BY_KEY = 'selection';

/** The story that a row stands for: a task, a comment or an attachment means its story. */
export function storyOfRow(row: unknown): FoundStory | undefined {
  if (row instanceof DetailNode) return row.parent;
  return row instanceof StoryNode || row instanceof GivenStory ? row : undefined;
}
