import { createHash } from 'node:crypto';
import { MAX_LINE, MAX_TEXT } from '../../../core/limits.ts';
import { withoutControls } from '../../../core/text.ts';
import { newStoredName } from '../../attachments/attachmentFiles.ts';
import type { ReceivedFile } from '../../attachments/receiveUpload.ts';
import { changeProject, readInProject } from '../../auth/projectAccess.ts';
import { Refusal } from '../../ground/errors.ts';
import { rememberReply } from '../../store/people/users.ts';
import { addAttachment, addNote, refuseWithoutAttachments } from '../../useCases/storyParts.ts';
import type { MailContext } from '../mailContext.ts';
import type { IncomingFile, IncomingMail } from './incomingMail.ts';
import { UnreadableMail } from './mailReader.ts';
import {
  asMailRefusal,
  MailRefusal,
  type ReplyRecipient,
  refuseAutomaticMail,
  refuseSealed,
  refuseStranger,
} from './refusedMail.ts';

const MOST_FILES = 50;

/**
 * Makes a mail the comment of the one whose address it was sent to, and its files the story's attachments: all of it or nothing,
 * and once however often it is delivered. Throws `MailRefusal` when it is never to come again, else what went wrong this time.
 */
export async function takeReply(
  room: MailContext,
  recipient: ReplyRecipient,
  reading: Promise<IncomingMail>,
  isPrivate: boolean,
): Promise<'added' | 'known'> {
  const mail = await reading.catch(asRefusal);
  refuseAutomaticMail(mail);
  refuseStranger(mail, recipient.user.email);
  refuseSealed(mail);
  refuseContent(room, mail);
  const { user, projectId } = recipient;
  const caller = { service: room, user, isPrivate, now: room.clock() };
  await readInProject(caller, projectId, async (_tx, project) => {
    if (mail.files.length > 0) refuseWithoutAttachments(project);
  }).catch(asMailRefusal);
  const files = await storedFiles(room, mail.files);
  try {
    const outcome = await changeProject(caller, projectId, 'Member', async (change) => {
      const { storyId } = recipient;
      const reply = { projectId, storyId, userId: user.id, messageHash: messageHash(mail), receivedAt: caller.now };
      if (!(await rememberReply(change.tx, reply))) return 'known';
      if (mail.text !== '') await addNote(change, storyId, mail.text);
      for (const file of files) {
        await room.files.requireKept(file);
        await addAttachment(change, storyId, file);
      }
      return 'added';
    });
    if (outcome === 'known') await removeFiles(room, files);
    else room.files.noteNamed();
    return outcome;
  } catch (error) {
    // After any other failure the files may belong to the story; if not, they are swept later.
    if (error instanceof Refusal) await removeFiles(room, files);
    return asMailRefusal(error);
  }
}

function asRefusal(error: unknown): never {
  if (!(error instanceof UnreadableMail)) throw error;
  throw new MailRefusal(554, '5.6.0', `This email cannot be read: ${error.message}`);
}

function refuseContent({ maxUpload }: MailContext, { text, files }: IncomingMail): void {
  if (text === '' && files.length === 0) {
    throw new MailRefusal(550, '5.6.0', 'This email contains nothing but quoted text.');
  }
  if (text.length > MAX_TEXT)
    throw new MailRefusal(552, '5.3.4', 'This email is too long for a comment. Attach it as a file.');
  if (files.length > MOST_FILES) throw new MailRefusal(552, '5.3.4', `An email can have at most ${MOST_FILES} files.`);
  if (files.some(({ bytes }) => bytes.length > maxUpload)) {
    throw new MailRefusal(
      552,
      '5.3.4',
      `A file in this email is larger than the service accepts (${Math.floor(maxUpload / 1024 / 1024)} MiB).`,
    );
  }
}

/** By its Message-ID; for the few programs that write none, by when it was written and what it says. */
function messageHash({ messageId, headers, text }: IncomingMail): string {
  const name = messageId === '' ? `${headers.get('date') ?? ''}\n${text}` : messageId;
  return createHash('sha256').update(name).digest('hex');
}

/** The bytes are gone when this resolves. */
async function storedFiles(room: MailContext, all: readonly IncomingFile[]): Promise<readonly ReceivedFile[]> {
  const stored: ReceivedFile[] = [];
  for (const { filename, bytes } of all) {
    const storedAs = newStoredName();
    const sink = await room.files.create(storedAs);
    try {
      await sink.write(bytes);
      await room.files.keep(storedAs, sink);
    } catch (error) {
      await sink.abandon();
      await room.files.abandon(storedAs);
      throw error;
    }
    // The end of a name says what the file is.
    const name = withoutControls(filename).replaceAll('\n', ' ').slice(-MAX_LINE);
    stored.push({ storedAs, filename: name, size: bytes.length, description: '' });
    free(bytes);
  }
  if (stored.length > 0) await room.files.sync();
  return stored;
}

/** Gives memory back at once that would otherwise be held until garbage is collected, while the next mail is read. */
function free({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

async function removeFiles({ files }: MailContext, stored: readonly ReceivedFile[]): Promise<void> {
  for (const { storedAs } of stored) await files.remove(storedAs);
}
