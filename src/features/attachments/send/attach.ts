import * as vscode from 'vscode';
import { messageOf, retold, TrackerError } from '../../../core/errors.ts';
import { isSameProject } from '../../../core/story/projectKey.ts';
import type { App } from '../../../host/app.ts';
import { type Caller, tickStep } from '../../../host/shell/commands.ts';
import type { Messages } from '../../../host/shell/messages.ts';
import type { FoundStory } from '../../../host/tree/nodes.ts';
import { discard, type Offered, type Prepared, type Ready, unsentOf, type Wishes } from '../prepare/candidate.ts';
import { candidateOf, nameOf } from '../prepare/offeredFiles.ts';
import { prepared } from '../prepare/prepared.ts';
import {
  failedOf,
  failureText,
  notYetThere,
  showResult,
  successText,
  type UploadNeeds,
  type UploadOutcome,
  upload,
} from './uploads.ts';
import type { UnderWayFile, UploadUnderWay } from './uploadsUnderWay.ts';

export type AttachNeeds = Pick<App, 'backlogs' | 'messages' | 'log' | 'engine'> & UploadNeeds;

/**
 * Resolves to the names of what was sent, also where it failed and can be sent again. @throws TrackerError when nothing can be
 * sent, or, for a program, when a file was not attached.
 */
export async function attach(
  needs: AttachNeeds,
  target: FoundStory,
  offered: readonly Offered[],
  caller: Caller,
  wishes: Wishes = {},
): Promise<readonly string[]> {
  const ready = await allowed(needs, target, offered, caller, wishes);
  if (!ready) return [];
  if (ready.files.length === 0 && caller === 'program') throw new TrackerError('input', ready.leftOut.join(' '));
  if (ready.files.length > 0 || ready.leftOut.length > 0) await send(needs, target, ready, caller);
  return ready.files.map(({ filename }) => filename);
}

/** What is to be sent after all questions; `undefined` when the person turned away. What was made for it and is not sent goes. */
async function allowed(
  needs: AttachNeeds,
  target: FoundStory,
  offered: readonly Offered[],
  caller: Caller,
  wishes: Wishes,
): Promise<Prepared | undefined> {
  let ready: Prepared | undefined;
  try {
    await refuseWhereClosed(needs, target);
    const uris = offered.filter((one) => one instanceof vscode.Uri);
    if (caller === 'person' && !(await savedFirst(needs.messages, uris))) return undefined;
    const tools = { messages: needs.messages, outgoing: needs.engine.outgoingFiles };
    ready = await prepared(tools, offered, caller, wishes);
    return ready;
  } finally {
    await discard(needs, unsentOf(offered, ready?.files ?? []));
  }
}

async function refuseWhereClosed({ backlogs }: AttachNeeds, { key }: FoundStory): Promise<void> {
  const projects = await backlogs.projects();
  const entry = projects.find((one) => isSameProject(one.key, key));
  if (entry?.project.allowAttachments !== false) return;
  const text = vscode.l10n.t(
    'The project “{0}” does not allow attachments. An owner can allow them in its settings.',
    entry.project.name,
  );
  throw new TrackerError('refused', text);
}

interface Sent {
  /** Once nothing more is to be tried. What was made to be sent is there until then. */
  readonly settled: Promise<void>;
}

async function send(needs: AttachNeeds, target: FoundStory, ready: Prepared, caller: Caller): Promise<Sent> {
  const { files, leftOut } = ready;
  const outcomes = files.length > 0 ? await upload(needs, target, files) : [];
  if (files.length > 0) await refresh(needs, target);
  if (failedOf(outcomes).length === 0 && leftOut.length === 0) {
    await discard(needs, files);
    tickStep('storyTracker.hasAttachedFiles');
    needs.messages.info(successText(files, target.story));
    return { settled: Promise.resolve() };
  }
  if (caller === 'program') {
    await discard(needs, files);
    const text = failureText(outcomes, leftOut, target.story);
    const error = failedOf(outcomes)[0]?.error;
    throw error instanceof TrackerError ? retold(error, text) : new TrackerError('input', text);
  }
  const settled = offerRetry(needs, target, ready, outcomes)
    .catch((thrown) => needs.messages.error(thrown))
    .finally(() => discard(needs, files));
  return { settled };
}

async function offerRetry(
  needs: AttachNeeds,
  target: FoundStory,
  ready: Prepared,
  outcomes: readonly UploadOutcome[],
): Promise<void> {
  const { leftOut, unread } = ready;
  const retry = vscode.l10n.t('Retry Failed');
  const details = vscode.l10n.t('Show Each File');
  const canRetry = failedOf(outcomes).length + unread.length > 0;
  const hasSeveral = outcomes.length + leftOut.length > 1;
  const text = failureText(outcomes, leftOut, target.story);
  const answer = await needs.messages.offer(text, ...(canRetry ? [retry] : []), ...(hasSeveral ? [details] : []));
  const again = answer === retry || (answer === details && (await showResult(target, { outcomes, leftOut, canRetry })));
  if (again) await sendAgain(needs, target, outcomes, ready);
}

async function sendAgain(
  needs: AttachNeeds,
  target: FoundStory,
  outcomes: readonly UploadOutcome[],
  { unread, allowed }: Prepared,
): Promise<void> {
  const missing = await notYetThere(needs.backlogs, target, outcomes);
  if (missing.length + unread.length === 0) {
    needs.messages.info(vscode.l10n.t('All files are attached to #{0}.', target.story.id));
    return;
  }
  const looked: Offered[] = [];
  for (const file of missing) looked.push(await lookedAtAgain(file));
  const tools = { messages: needs.messages, outgoing: needs.engine.outgoingFiles };
  // A file may have become another: too large, or with a secret in it.
  const ready = await prepared(tools, [...looked, ...unread], 'person', { allowed });
  if (ready && ready.files.length + ready.leftOut.length > 0) {
    await (await send(needs, target, ready, 'person')).settled;
  }
}

/** As it is now; what was made to be sent is what it was. */
async function lookedAtAgain(file: Ready): Promise<Offered> {
  if (!file.uri) return file;
  const now = await candidateOf(file.uri, file.within);
  if (now.kind === 'folder') return now.uri;
  return now.kind === 'ready' ? { ...now, filename: file.filename } : now;
}

/** The files are attached whether or not the story can be read afterwards. */
async function refresh({ backlogs, log }: AttachNeeds, { key, story }: FoundStory): Promise<void> {
  try {
    await backlogs.refreshStory(key, story.id);
  } catch (thrown) {
    log.warn(`story ${story.id} could not be read after attaching: ${messageOf(thrown)}`);
  }
}

/**
 * Asks about files whose editor holds changes that are not on disk. False: the person turned away.
 * @throws TrackerError `input` when one cannot be saved.
 */
async function savedFirst(messages: Messages, uris: readonly vscode.Uri[]): Promise<boolean> {
  const named = new Set(uris.map((uri) => uri.toString()));
  const changed = vscode.workspace.textDocuments.filter(
    ({ isDirty, isUntitled, uri }) => isDirty && !isUntitled && named.has(uri.toString()),
  );
  if (changed.length === 0) return true;
  const save = vscode.l10n.t('Save and Attach');
  const asSaved = vscode.l10n.t('Attach Last Saved Version');
  const question = vscode.l10n.t('Some changes are not saved: {0}.', namesOf(changed));
  const answer = await messages.ask(question, undefined, save, asSaved);
  if (answer === save) await saved(changed);
  return answer !== undefined;
}

async function saved(documents: readonly vscode.TextDocument[]): Promise<void> {
  const areSaved = await Promise.all(documents.map((document) => document.save()));
  const unsaved = documents.filter((_, index) => !areSaved[index]);
  if (unsaved.length === 0) return;
  throw new TrackerError(
    'input',
    vscode.l10n.t('Nothing was attached because VS Code could not save {0}.', namesOf(unsaved)),
  );
}

function namesOf(documents: readonly vscode.TextDocument[]): string {
  return documents.map(({ uri }) => `“${nameOf(uri)}”`).join(', ');
}

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
  if (answer === retry) await sendMissing(needs, upload);
}

async function sendMissing(needs: AttachNeeds, { key, storyId, before, files }: UploadUnderWay): Promise<void> {
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
