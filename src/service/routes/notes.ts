import { noteElement, notesElement, readNewNote } from '../../v3/note.ts';
import { changeProject, readInProject } from '../auth/projectAccess.ts';
import { readElement } from '../call/bodies.ts';
import { type Call, param } from '../call/exchange.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { countInStory, fittingNotes, pageOfNotes } from '../store/stories/fittingTexts.ts';
import { toNote } from '../store/stories/notes.ts';
import { addNote } from '../useCases/addNote.ts';
import { theStory } from '../useCases/theStory.ts';
import { partFacts, readForwardPage } from './pages.ts';

/** All that a story may have; of more, from before there was a limit, the newest, or a page of them (*ours*). */
export async function listNotes(call: Call): Promise<Reply> {
  const [projectId, storyId] = [param(call, 'projectId'), param(call, 'storyId')];
  const page = readForwardPage(call.query);
  return readInProject(call, projectId, async (tx) => {
    await theStory(tx, projectId, storyId);
    const rows = page ? await pageOfNotes(tx, storyId, page) : await fittingNotes(tx, { storyId });
    return elementReply(
      notesElement(rows.map(toNote), partFacts(rows, await countInStory(tx, 'notes', storyId), page)),
    );
  });
}

export async function postNote(call: Call): Promise<Reply> {
  const { text = '' } = readNewNote(await readElement(call, 'note'));
  const note = await changeProject(call, param(call, 'projectId'), 'Member', (change) =>
    addNote(change, param(call, 'storyId'), text),
  );
  return elementReply(noteElement(note));
}
