import { agentTools } from '../../core/agents/agentTools.ts';
import type { InputOf, InputSchema } from '../../core/agents/inputSchema.ts';
import { storyTypes } from '../../core/backlog/workflow.ts';
import { MAX_LABELS_OF_STORY, MAX_LINE, MAX_POINTS, MAX_STORY_NAME } from '../../core/limits.ts';
import { UNESTIMATED } from '../../core/story/story.ts';

/** What an agent can have the service do, and what clients tell a person before it is done. */
interface ServiceTool {
  readonly displayName: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** What writes needs a token that may write. */
  readonly access: 'read' | 'write';
  /** Whether what was there may be gone afterwards. */
  readonly isDestructive?: true;
  /** Whether doing it twice is the same as doing it once. */
  readonly isIdempotent?: true;
}

/** Characters of a description by an agent, and of a commit message: a person has to read them. */
const MAX_WRITTEN = 20_000;
const MAX_COMMIT_ID = 255;
const MAX_ADDRESS = 2_000;
const MAX_MOMENT = 40;

/** There is one server only. */
function withoutServer<
  T extends { readonly inputSchema: InputSchema & { readonly properties: { readonly server: unknown } } },
>(tool: T) {
  const { server: _, ...properties }: T['inputSchema']['properties'] = tool.inputSchema.properties;
  return { ...tool, inputSchema: { ...tool.inputSchema, properties } };
}

const { findStories, insertMarker } = agentTools;
const getStory = withoutServer(agentTools.getStory);
const moveStory = withoutServer(agentTools.moveStory);
const changeState = withoutServer(agentTools.changeState);
const addComment = withoutServer(agentTools.addComment);
const createStory = withoutServer(agentTools.createStory);
const { storyId, projectId } = getStory.inputSchema.properties;
const { storyIds, verb } = insertMarker.inputSchema.properties;

/** The tools of the service: those of the editor that need no window, and what takes the place of the others. */
export const serviceTools = {
  findStories: { ...findStories, isIdempotent: true },
  getStory: { ...getStory, isIdempotent: true },
  listProjects: {
    displayName: 'List Projects',
    description:
      'List the projects that the token can see: number, role, point scale, velocity, current iteration, name and members. Use it to learn the number of a project, which points a story can have, or who can own it.',
    inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
    access: 'read',
    isIdempotent: true,
  },
  getMarker: {
    displayName: 'Get Story Marker',
    description:
      'Get the text of a marker such as [fixes #12], to be put into a commit message so that the commit is linked to the stories when it is pushed or posted. Changes nothing.',
    inputSchema: {
      type: 'object',
      properties: {
        storyIds,
        verb: {
          ...verb,
          description:
            'What the commit does to the stories: "fixes" and "finishes" finish them, "delivers" delivers them, "" only links the commit. "fixes" is meant when this is left out.',
        },
      },
      required: ['storyIds'],
      additionalProperties: false,
    },
    access: 'read',
    isIdempotent: true,
  },
  createStory,
  editStory: {
    displayName: 'Edit Story',
    description:
      'Change fields of a story; what you leave out stays as it is. Use change state for its state and move story for its priority. Get the story first and pass its updatedAt, so that nothing is overwritten that someone else has written since.',
    inputSchema: {
      type: 'object',
      properties: {
        storyId,
        projectId,
        name: { type: 'string', minLength: 1, maxLength: MAX_STORY_NAME, description: 'One line: what is wanted.' },
        type: { type: 'string', enum: storyTypes },
        description: { type: 'string', maxLength: MAX_WRITTEN, description: 'In Markdown. Replaces the former one.' },
        estimate: {
          type: 'integer',
          minimum: UNESTIMATED,
          maximum: MAX_POINTS,
          description: 'Points, one of the values of the point scale of the project; -1 removes the estimate.',
        },
        labels: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: MAX_LINE },
          minItems: 0,
          maxItems: MAX_LABELS_OF_STORY,
          description: 'All labels that the story is to have; new ones are created.',
        },
        owner: {
          type: 'string',
          maxLength: MAX_LINE,
          description: 'Name of a member of the project; "" for no owner.',
        },
        updatedAt: {
          type: 'string',
          minLength: 1,
          maxLength: MAX_MOMENT,
          description: 'As get story answered it. Nothing is changed if the story was changed since.',
        },
      },
      required: ['storyId'],
      additionalProperties: false,
    },
    access: 'write',
    isDestructive: true,
    isIdempotent: true,
  },
  changeState: {
    ...changeState,
    description:
      'Set the state of a story. Features and bugs go from unstarted through started, finished and delivered to accepted or rejected; chores from unstarted through started to accepted; releases from unstarted to accepted. unscheduled puts a story into the icebox. A feature needs an estimate before it can be started.',
    isIdempotent: true,
  },
  moveStory: {
    ...moveStory,
    description:
      'Change the priority of a story: put it directly before (above) or after (below) another story of the same project.',
    isIdempotent: true,
  },
  addComment,
  linkCommit: {
    displayName: 'Link Commit to Stories',
    description:
      'Link a commit to the stories that markers in its message name, such as [fixes #12], as a comment with its message and address. A marker with a verb also finishes or delivers the story. A commit is linked to a story once, however often this is called. Only for commits that no hook of the repository links already.',
    inputSchema: {
      type: 'object',
      properties: {
        commitId: { type: 'string', minLength: 7, maxLength: MAX_COMMIT_ID, description: 'Whole hash of the commit.' },
        message: { type: 'string', minLength: 1, maxLength: MAX_WRITTEN, description: 'Whole message of the commit.' },
        author: {
          type: 'string',
          maxLength: MAX_LINE,
          description: 'Name of the author; the user of the token when left out.',
        },
        url: { type: 'string', maxLength: MAX_ADDRESS, description: 'Address of the page of the commit.' },
        storyId: { ...storyId, description: 'A story that it is linked to even if its message does not name it.' },
      },
      required: ['commitId', 'message'],
      additionalProperties: false,
    },
    access: 'write',
    isIdempotent: true,
  },
} as const satisfies Readonly<Record<string, ServiceTool>>;

export type ServiceToolName = keyof typeof serviceTools;
export type ServiceToolInput<N extends ServiceToolName> = InputOf<(typeof serviceTools)[N]['inputSchema']>;

export const serviceToolNames = Object.keys(serviceTools) as ServiceToolName[];
