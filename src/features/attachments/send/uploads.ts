import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { failureMeans, isCancelled, kindOf, TrackerError } from '../../../core/errors.ts';
import { type Attachment, lastOfPath } from '../../../core/story/attachment.ts';
import type { App } from '../../../host/app.ts';
import { byteText, withoutLinks } from '../../../host/shell/plainText.ts';
import type { FoundStory } from '../../../host/tree/nodes.ts';
import type { Ready } from '../prepare/candidate.ts';
import { ByteCount } from './byteCount.ts';
import { mapWithLimit, type Outcome } from './mapWithLimit.ts';
import { AT_ONCE, type Semaphore } from './semaphore.ts';
import type { UploadsUnderWay } from './uploadsUnderWay.ts';
import { whenNotBusy } from './whenNotBusy.ts';

export type UploadOutcome = Outcome<Ready, Attachment>;

type FailedUpload = Extract<UploadOutcome, { readonly status: 'failed' }>;

export type UploadNeeds = Pick<App, 'backlogs'> & {
  /** For all that is sent from this window. */
  readonly places: Semaphore;
  readonly underWay: () => Promise<UploadsUnderWay>;
};

/** Sends the files with progress and Cancel. Never throws: each file's outcome says how it went. */
export async function upload(
  { backlogs, places, underWay }: UploadNeeds,
  { key, story }: FoundStory,
  files: readonly Ready[],
): Promise<readonly UploadOutcome[]> {
  const title =
    files.length === 1
      ? vscode.l10n.t('Attaching {0} to #{1}', withoutLinks(files[0]?.filename ?? ''), story.id)
      : vscode.l10n.t('Attaching {0} files to #{1}', files.length, story.id);
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return vscode.window.withProgress(options, async (progress, cancel) => {
    const controller = new AbortController();
    cancel.onCancellationRequested(() => controller.abort());
    const count = new ByteCount(files.reduce((sum, { size }) => sum + size, 0));
    const report = (file: Ready, sent: number) => {
      const { sent: all, total, percent, increment } = count.count(file, sent);
      progress.report({ message: progressText(all, total, percent), increment });
    };
    const { signal } = controller;
    const target = { projectId: key.projectId, storyId: story.id };
    const tracker = backlogs.tracker(key);
    const send = async (file: Ready) => {
      const source = { ...(await file.open()), filename: file.filename };
      const onProgress = (sent: number) => report(file, sent);
      return tracker.uploadAttachment(target, source, { signal, onProgress });
    };
    const wait = (pause: number) => {
      progress.report({ message: vscode.l10n.t('the server is busy, retrying in {0} s', Math.ceil(pause / 1000)) });
      return patience(pause, signal);
    };
    const before = new Set(story.attachments.map(({ id }) => id));
    const patiently = (file: Ready) => {
      const isSafe = async ({ status }: TrackerError) => {
        if (status === 429) return true;
        // A gateway that is busy may have passed it on before.
        const { attachments } = await tracker.getStory(target, { signal });
        return !attachments.some(({ id, filename }) => filename === lastOfPath(file.filename) && !before.has(id));
      };
      return whenNotBusy(() => send(file), { wait, isSafe });
    };
    const end = await (await underWay()).begin(asKept({ key, story }, files));
    try {
      return await mapWithLimit(files, AT_ONCE, (file) => places.hold(() => patiently(file), signal), concernsAll);
    } finally {
      end();
    }
  });
}

export function failedOf(outcomes: readonly UploadOutcome[]): readonly FailedUpload[] {
  return outcomes.filter((outcome) => outcome.status === 'failed');
}

function asKept({ key, story }: FoundStory, files: readonly Ready[]) {
  const before = story.attachments.map(({ id }) => id);
  const names = files.map(({ filename, uri, within }) => ({
    filename,
    ...(uri && { uri: uri.toString() }),
    ...(within !== undefined && { within }),
  }));
  return { key: { accountId: key.accountId, projectId: key.projectId }, storyId: story.id, before, files: names };
}

async function patience(pause: number, signal: AbortSignal): Promise<void> {
  await sleep(pause, undefined, { signal }).catch(() => {
    throw new TrackerError('cancelled', 'Canceled.');
  });
}

function progressText(sent: number, total: number, percent: number): string {
  return vscode.l10n.t('{0} of {1} ({2} %)', byteText(sent), byteText(total), percent);
}

/** Whether the next file would fare the same, so that it is not tried. */
function concernsAll(error: unknown): boolean {
  return isCancelled(error) || failureMeans(kindOf(error), 'sameStory');
}

/** Whether the server may have kept the file although no answer came. */
export function fateIsUnknown(error: unknown): boolean {
  return failureMeans(kindOf(error), 'unsettled');
}
