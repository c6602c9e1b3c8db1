import { noteElement, notesElement, readNewNote } from '../../v3/note.ts';
import { changeProject, readInProject } from '../auth/projectAccess.ts';
import { readElement } from '../http/bodies.ts';
import { type Call, param } from '../http/exchange.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { notesOfStory } from '../store/notes.ts';
import { addNote } from '../useCases/addNote.ts';
import { theStory } from '../useCases/theStory.ts';

export async function listNotes(call: Call): Promise<Reply> {
  const [projectId, storyId] = [param(call, 'projectId'), param(call, 'storyId')];
  const notes = await readInProject(call, projectId, async (tx) => {
    await theStory(tx, projectId, storyId);
    return notesOfStory(tx, storyId);
  });
  return elementReply(notesElement(notes));
}

export async function postNote(call: Call): Promise<Reply> {
  const { text = '' } = readNewNote(await readElement(call, 'note'));
  const note = await changeProject(call, param(call, 'projectId'), 'Member', (change) =>
    addNote(change, param(call, 'storyId'), text),
  );
  return elementReply(noteElement(note));
}
