import * as vscode from 'vscode';
import { candidateOf, type Offered } from '../prepare/candidate.ts';
import { type AttachNeeds, attach } from './attach.ts';
import type { UnderWayFile, UploadUnderWay } from './uploadsUnderWay.ts';

/** Tells of uploads that a closing window cut off, and sends again what the story has not got. */
export async function offerInterruptedUploads(needs: AttachNeeds): Promise<void> {
  const left = (await needs.underWay()).takeLeft();
  // A notice may stay unanswered for as long as the window is open, so that none waits for another.
  await Promise.all(left.map((upload) => tellOfOne(needs, upload).catch((thrown) => needs.messages.error(thrown))));
}

async function tellOfOne(needs: AttachNeeds, upload: UploadUnderWay): Promise<void> {
  const names = upload.files.map(({ filename }) => filename).join(', ');
  const text = vscode.l10n.t('Attaching to #{0} was interrupted when the window closed: {1}.', upload.storyId, names);
  const retry = vscode.l10n.t('Retry');
  const answer = await needs.messages.offer(text, ...(upload.files.some(({ uri }) => uri) ? [retry] : []));
  if (answer === retry) await sendAgain(needs, upload);
}

async function sendAgain(needs: AttachNeeds, { key, storyId, before, files }: UploadUnderWay): Promise<void> {
  const story = await needs.backlogs.refreshStory(key, storyId);
  const arrived = story.attachments.filter(({ id }) => !before.includes(id)).map(({ filename }) => filename);
  const missing = withoutOnce(files, arrived);
  if (missing.length === 0) {
    needs.messages.info(vscode.l10n.t('All files are attached to #{0}.', storyId));
    return;
  }
  const gone = missing.filter(({ uri }) => uri === undefined).map(({ filename }) => filename);
  if (gone.length > 0) {
    const text = vscode.l10n.t('These files were only in memory and cannot be sent again: {0}.', gone.join(', '));
    needs.messages.info(text);
  }
  const offered = (await Promise.all(missing.map(offeredAgain))).flat();
  if (offered.length > 0) await attach(needs, { key, story }, offered, 'person');
}

/** Within the same bounds as before. */
async function offeredAgain({ uri, within }: UnderWayFile): Promise<readonly Offered[]> {
  if (uri === undefined) return [];
  const parsed = vscode.Uri.parse(uri, true);
  if (within === undefined) return [parsed];
  const now = await candidateOf(parsed, within);
  return [now.kind === 'folder' ? now.uri : now];
}

/** Each name that has arrived accounts for one file. */
function withoutOnce(files: readonly UnderWayFile[], arrived: readonly string[]): readonly UnderWayFile[] {
  const rest = [...arrived];
  return files.filter(({ filename }) => {
    const index = rest.indexOf(filename);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}
