import { requireRole } from '../../auth/projectAccess.ts';
import { Refusal } from '../../ground/errors.ts';
import { type UserRow, userById } from '../../store/people/users.ts';
import { projectById } from '../../store/projects/projects.ts';
import { placesOfStories } from '../../store/stories/sourceCommits.ts';
import type { MailRoom } from '../mailRoom.ts';
import { readReplyLocalPart } from '../replyAddress.ts';
import { MailRefusal } from './refusedMail.ts';

/** Who comments on which story by writing to an address. */
export interface ReplyRecipient {
  readonly user: UserRow;
  readonly storyId: number;
  readonly projectId: number;
}

/** Throws `MailRefusal` for an address that was not given out, or that is of no use any more. */
export async function replyRecipient(room: MailRoom, address: string): Promise<ReplyRecipient> {
  const at = address.lastIndexOf('@');
  const isOurs = address.slice(at + 1).toLowerCase() === room.settings.replyDomain?.toLowerCase();
  const place = isOurs ? readReplyLocalPart(address.slice(0, at), room.key) : undefined;
  if (!place) throw new MailRefusal(550, '5.1.1', 'There is no such address here.');
  const { storyId, userId } = place;
  return room.database.read(async (tx) => {
    const user = await userById(tx, userId);
    const [story] = await placesOfStories(tx, [storyId]);
    if (!user || !story || !(await projectById(tx, story.projectId))) {
      throw new MailRefusal(550, '5.1.6', 'The story of this address was deleted.');
    }
    await requireRole(tx, story.projectId, user, 'Member').catch(asMailRefusal);
    return { user, storyId, projectId: story.projectId };
  });
}

/** What the service refuses its users, as mail systems are told. */
export function asMailRefusal(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  if (error.status === 413) throw new MailRefusal(552, '5.3.4', error.message);
  throw new MailRefusal(550, '5.7.1', error.message);
}
