import { storyStates, storyTypes } from '../backlog/workflow.ts';
import { MAX_LABELS_OF_STORY, MAX_LINE, MAX_POINTS, MAX_STORY_NAME } from '../limits.ts';
import { markerVerbs } from '../marker/markerSyntax.ts';
import type { AgentToolName } from './agentToolNames.ts';
import type { InputSchema } from './inputSchema.ts';

/** What an agent can have done: in VS Code as a language-model tool, elsewhere through a server of the Model Context Protocol. */
interface AgentTool {
  /** For a person: short, in the words of the commands. */
  readonly displayName: string;
  /** For the model: what it does, when to use it, and what comes back. */
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** What only reads asks no one; what writes asks the person first, or needs a token that may write. */
  readonly access: 'read' | 'write';
  /** `editor`: needs the workspace of a window, its files or its Git repository; the others can be done wherever stories are. */
  readonly place: 'editor' | 'anywhere';
}

/** Fifteen digits, as in markers: every such number is exact. */
const MAX_ID = 999_999_999_999_999;
const MAX_FILTER_TEXT = 1_000;
const MAX_PATH = 4_096;
const MAX_ADDRESS = 2_000;
const MAX_FOUND = 50;
const MAX_SKIPPED = 10_000;
const MAX_MARKED = 10;
const MAX_FILES = 10;
const MAX_COMMITS = 20;
/** Characters of a description or a comment by an agent: a person has to read them. */
const MAX_WRITTEN = 20_000;

const storyId = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_ID,
  description: 'Number of the story, as in #12.',
} as const;
const projectId = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_ID,
  description: 'Number of its project. Needed only when several servers have a story of this number.',
} as const;
/** Only where there may be several: the tools of a server have none. */
const server = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_ADDRESS,
  description: 'Address of the server, or built-in. Needed only when several servers have such a story or project.',
} as const;
const ofStory = { storyId, projectId, server } as const;
const points = { type: 'integer', minimum: 0, maximum: MAX_POINTS } as const;
const repository = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_PATH,
  description: 'Folder of the Git repository. Needed only when several repositories are open.',
} as const;
const markedVerb = {
  type: 'string',
  enum: markerVerbs,
  description:
    'What the commit does to the stories: "fixes" and "finishes" finish them, "delivers" delivers them, "" only links the commit. The setting of the person applies when this is left out.',
} as const;

const FILTER = [
  'Words and key:value pairs; a story must match all of them. Several values of a key, separated by commas, match any: state:started,finished.',
  'Keys: id, type (feature, bug, chore, release), state (unscheduled, unstarted, started, finished, delivered, accepted, rejected),',
  'label, owner, requester, mywork (names, or me), created_since and modified_since (2026/03/31, today, 7d, 2w), points (3, >3, none),',
  'has_attachment, has_external_id (true, false), external_id, integration, project (name or number),',
  'sort (updated, created, points, name, owner, deadline, id or priority, with -asc or -desc behind it), includedone (true for accepted stories of done iterations). "-" in front of a key excludes: -label:api.',
  'owner:none, requester:none and label:none find what is missing. Values with spaces need quotation marks: label:"to do".',
].join(' ');

export const agentTools = {
  findStories: {
    displayName: 'Find Stories',
    description:
      'Find stories of the projects in Story Tracker with a filter, in order of priority. Use it to look for work, for the story that belongs to a change, or for duplicates before you create a story. Answers with number, project, type, state, points, name, owner and labels of each story. To read descriptions, tasks and comments, get the story.',
    inputSchema: {
      type: 'object',
      properties: {
        filter: { type: 'string', maxLength: MAX_FILTER_TEXT, description: FILTER },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_FOUND,
          description: 'Most stories in the answer; 20 when left out.',
        },
        skip: {
          type: 'integer',
          minimum: 0,
          maximum: MAX_SKIPPED,
          description: 'Leave out so many stories from the start, to read on after a first answer.',
        },
      },
      required: ['filter'],
      additionalProperties: false,
    },
    access: 'read',
    place: 'anywhere',
  },
  getStory: {
    displayName: 'Get Story',
    description:
      'Read one story of Story Tracker by its number: all of its fields, description, tasks, newest comments and the names of its attachments. Use it before you work on a story or answer questions about it.',
    inputSchema: { type: 'object', properties: ofStory, required: ['storyId'], additionalProperties: false },
    access: 'read',
    place: 'anywhere',
  },
  getActiveStory: {
    displayName: 'Get Active Story',
    description:
      'Read the story that the person is working on in this VS Code window, as get story does. Use it when the person speaks of "this story" or "my story", or to learn which story a change belongs to. Says so when there is none.',
    inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
    access: 'read',
    place: 'editor',
  },
  insertMarker: {
    displayName: 'Insert Story Marker',
    description:
      'Put a marker such as [fixes #12] into the commit message box of Source Control, so that the commit is linked to the stories. The rest of the message stays as it is. It does not commit.',
    inputSchema: {
      type: 'object',
      properties: {
        storyIds: {
          type: 'array',
          items: storyId,
          minItems: 1,
          maxItems: MAX_MARKED,
          description: 'Numbers of the stories.',
        },
        server,
        verb: markedVerb,
        repository,
      },
      required: ['storyIds'],
      additionalProperties: false,
    },
    access: 'write',
    place: 'editor',
  },
  moveStory: {
    displayName: 'Move Story',
    description:
      'Change the priority of a story: put it directly before (above) or after (below) another story of the same project. Can be undone by the person.',
    inputSchema: {
      type: 'object',
      properties: {
        ...ofStory,
        place: { type: 'string', enum: ['before', 'after'], description: 'On which side of the other story.' },
        targetId: { ...storyId, description: 'Number of the other story.' },
      },
      required: ['storyId', 'place', 'targetId'],
      additionalProperties: false,
    },
    access: 'write',
    place: 'anywhere',
  },
  attachFiles: {
    displayName: 'Attach Files to Story',
    description:
      'Attach files of the workspace to a story. Files outside of the workspace and files that seem to hold passwords, keys or tokens are refused; the person can attach those.',
    inputSchema: {
      type: 'object',
      properties: {
        ...ofStory,
        files: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: MAX_PATH },
          minItems: 1,
          maxItems: MAX_FILES,
          description: 'Paths of the files, absolute or relative to a folder of the workspace.',
        },
      },
      required: ['storyId', 'files'],
      additionalProperties: false,
    },
    access: 'write',
    place: 'editor',
  },
  linkCommits: {
    displayName: 'Link Commits to Story',
    description:
      'Link commits of the open Git repository to a story, as comments with message and address of the commit. Only a marker in the message of a commit, such as [fixes #12], changes states.',
    inputSchema: {
      type: 'object',
      properties: {
        ...ofStory,
        commits: {
          type: 'array',
          items: { type: 'string', minLength: 7, maxLength: 64 },
          minItems: 1,
          maxItems: MAX_COMMITS,
          description: 'Commit hashes of at least 7 hexadecimal digits.',
        },
        repository,
      },
      required: ['storyId', 'commits'],
      additionalProperties: false,
    },
    access: 'write',
    place: 'editor',
  },
  changeState: {
    displayName: 'Change State of Story',
    description:
      'Set the state of a story. Features and bugs go from unstarted through started, finished and delivered to accepted or rejected; chores from unstarted through started to accepted; releases from unstarted to accepted. unscheduled puts a story into the icebox. A feature needs an estimate before it can be started. Can be undone by the person.',
    inputSchema: {
      type: 'object',
      properties: {
        ...ofStory,
        state: { type: 'string', enum: storyStates, description: 'The new state.' },
        estimate: { ...points, description: 'Points to give it at the same time, where it has none and needs some.' },
      },
      required: ['storyId', 'state'],
      additionalProperties: false,
    },
    access: 'write',
    place: 'anywhere',
  },
  addComment: {
    displayName: 'Add Comment to Story',
    description: 'Add a comment to a story, in the name of the person. Markdown is shown as such.',
    inputSchema: {
      type: 'object',
      properties: {
        ...ofStory,
        text: { type: 'string', minLength: 1, maxLength: MAX_WRITTEN, description: 'The comment, in Markdown.' },
      },
      required: ['storyId', 'text'],
      additionalProperties: false,
    },
    access: 'write',
    place: 'anywhere',
  },
  createStory: {
    displayName: 'Create Story',
    description:
      'Create a story. Find stories first, to see that no such story exists yet. Answers with the number of the new story.',
    inputSchema: {
      type: 'object',
      properties: {
        projectId: {
          ...projectId,
          description: 'Number of the project. Needed when there are several projects; find stories tells the numbers.',
        },
        server,
        name: { type: 'string', minLength: 1, maxLength: MAX_STORY_NAME, description: 'One line: what is wanted.' },
        type: { type: 'string', enum: storyTypes, description: 'feature when left out.' },
        description: { type: 'string', maxLength: MAX_WRITTEN, description: 'In Markdown.' },
        estimate: { ...points, description: 'Points, one of the values of the point scale of the project.' },
        labels: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: MAX_LINE },
          minItems: 1,
          maxItems: MAX_LABELS_OF_STORY,
          description: 'Labels; new ones are created.',
        },
        place: {
          type: 'string',
          enum: ['top', 'bottom', 'icebox'],
          description:
            'At the top or the bottom of the backlog, or in the icebox, which is meant when this is left out.',
        },
      },
      required: ['name'],
      additionalProperties: false,
    },
    access: 'write',
    place: 'anywhere',
  },
} as const satisfies Readonly<Record<AgentToolName, AgentTool>>;
