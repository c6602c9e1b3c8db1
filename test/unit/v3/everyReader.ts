import { readActivity } from '../../../src/v3/activity.ts';
import { readAttachment } from '../../../src/v3/attachment.ts';
import { type Element, parent, textElement } from '../../../src/v3/element.ts';
import { errorSentences } from '../../../src/v3/errorList.ts';
import { readMembership, readNewMembership } from '../../../src/v3/membership.ts';
import { readNewProject } from '../../../src/v3/newProject.ts';
import { readNewNote, readNote } from '../../../src/v3/note.ts';
import { readProject } from '../../../src/v3/project.ts';
import { readSourceCommit } from '../../../src/v3/sourceCommit.ts';
import { readStory, readStoryEdit } from '../../../src/v3/story.ts';
import { readTask, readTaskEdit } from '../../../src/v3/task.ts';
import { readToken } from '../../../src/v3/token.ts';
import { writeDocument } from '../../../src/v3/write.ts';
import { XmlError } from '../../../src/v3/xmlError.ts';
import {
  readActivities,
  readIteration,
  readIterations,
  readMemberships,
  readNotes,
  readProjects,
  readStories,
  readTasks,
} from '../../support/v3/lists.ts';

/** Every function that turns an element into a value. */
export const everyReader: readonly ((element: Element) => unknown)[] = [
  readActivities,
  readActivity,
  readAttachment,
  (element) => errorSentences(writeDocument(element)),
  (element) => readProject(withIntegration(element)),
  readIteration,
  readIterations,
  readMembership,
  readMemberships,
  readNewMembership,
  readNewNote,
  readNewProject,
  readNote,
  readNotes,
  readProject,
  readProjects,
  readSourceCommit,
  readStories,
  readStory,
  readStoryEdit,
  readTask,
  readTaskEdit,
  readTasks,
  readToken,
];

/** A project with this as its only integration. */
function withIntegration(element: Element): Element {
  const integration = { ...element, name: 'integration' };
  return parent('project', [textElement('id', '1'), parent('integrations', [integration])]);
}

/** Reads in every way there is; throws what is not an `XmlError`. True when at least one reader could make sense of it. */
export function survives(parse: () => Element): boolean {
  let element: Element;
  try {
    element = parse();
  } catch (error) {
    if (error instanceof XmlError) return false;
    throw error;
  }
  return everyReader.filter((read) => isReadable(read, element)).length > 0;
}

function isReadable(read: (element: Element) => unknown, element: Element): boolean {
  try {
    read(element);
    return true;
  } catch (error) {
    if (error instanceof XmlError) return false;
    throw error;
  }
}
