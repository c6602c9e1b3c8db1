import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { failureMeans, isCancelled, kindOf, messageOf, TrackerError } from '../../../core/errors.ts';
import { type Attachment, lastOfPath } from '../../../core/story/attachment.ts';
import type { Story } from '../../../core/story/story.ts';
import type { App } from '../../../host/app.ts';
import type { Backlogs } from '../../../host/projects/backlogs.ts';
import { byteText, withoutIcons, withoutLinks } from '../../../host/shell/plainText.ts';
import type { FoundStory } from '../../../host/tree/nodes.ts';
import type { Ready } from '../prepare/candidate.ts';
import { AT_ONCE, ByteCount, mapWithLimit, type Outcome, whenNotBusy } from './pace.ts';
import type { UploadsUnderWay } from './uploadsUnderWay.ts';

export type UploadOutcome = Outcome<Ready, Attachment>;

type FailedUpload = Extract<UploadOutcome, { readonly status: 'failed' }>;

export type UploadNeeds = Pick<App, 'backlogs'> & {
  /** What is sent from this window. */
  readonly underWay: () => Promise<UploadsUnderWay>;
};

/** Sends the files with progress and Cancel. Never throws: each file's outcome says how it went. */
export async function upload(
  { backlogs, underWay }: UploadNeeds,
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
    const uploads = await underWay();
    const end = await uploads.begin(asKept({ key, story }, files));
    try {
      const { places } = uploads;
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
function fateIsUnknown(error: unknown): boolean {
  return failureMeans(kindOf(error), 'unsettled');
}

export function successText(files: readonly Ready[], story: Story): string {
  return files.length === 1
    ? vscode.l10n.t('Attached {0} to #{1}.', files[0]?.filename ?? '', story.id)
    : vscode.l10n.t('Attached {0} files to #{1}.', files.length, story.id);
}

/** How many went well, then each reason once with the files it concerns. */
export function failureText(outcomes: readonly UploadOutcome[], leftOut: readonly string[], story: Story): string {
  const done = outcomes.filter(({ status }) => status === 'done').length;
  const all = outcomes.length + leftOut.length;
  const head =
    done === 0
      ? vscode.l10n.t('Nothing was attached to #{0}.', story.id)
      : vscode.l10n.t('Attached {0} of {1} files to #{2}.', done, all, story.id);
  return [head, ...reasons(outcomes), ...leftOut].join(' ');
}

function reasons(outcomes: readonly UploadOutcome[]): readonly string[] {
  const filesByReason = new Map<string, readonly string[]>();
  for (const outcome of outcomes) {
    if (outcome.status === 'done') continue;
    const reason = isCancelled(outcome.error) ? vscode.l10n.t('Canceled.') : messageOf(outcome.error);
    filesByReason.set(reason, [...(filesByReason.get(reason) ?? []), outcome.item.filename]);
  }
  return [...filesByReason].map(([reason, names]) => `${names.join(', ')}: ${reason}`);
}

interface UploadResult {
  readonly outcomes: readonly UploadOutcome[];
  /** A sentence for each file that was not sent. */
  readonly leftOut: readonly string[];
  readonly canRetry: boolean;
}

/** Lists how each file fared. True: the person wants the failed ones tried again. */
export async function showResult(
  { story }: FoundStory,
  { outcomes, leftOut, canRetry }: UploadResult,
): Promise<boolean> {
  const files = outcomes.map((outcome) => ({
    label: `$(${outcome.status === 'done' ? 'pass' : 'error'}) ${withoutIcons(outcome.item.filename)}`,
    description: byteText(outcome.item.size),
    detail: outcome.status === 'done' ? vscode.l10n.t('Attached') : withoutIcons(reasonOf(outcome.error)),
    retries: false,
  }));
  const others = leftOut.map((sentence) => ({ label: `$(circle-slash) ${withoutIcons(sentence)}`, retries: false }));
  const again = canRetry ? [{ label: `$(refresh) ${vscode.l10n.t('Retry Failed')}`, retries: true }] : [];
  const title = vscode.l10n.t('Files for #{0}', story.id);
  return (await vscode.window.showQuickPick([...again, ...files, ...others], { title }))?.retries === true;
}

function reasonOf(error: unknown): string {
  return isCancelled(error) ? vscode.l10n.t('Canceled.') : messageOf(error);
}

/**
 * The failed files that the story does not hold. An upload whose answer got lost may have arrived all the same, and must
 * not be attached twice: such a file counts as there when the story has an attachment of its name that it had not before.
 */
export async function notYetThere(
  backlogs: Backlogs,
  { key, story }: FoundStory,
  outcomes: readonly UploadOutcome[],
): Promise<readonly Ready[]> {
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'failed' ? [outcome] : []));
  if (!failed.some(({ error }) => fateIsUnknown(error))) return failed.map(({ item }) => item);
  const now = await backlogs.refreshStory(key, story.id);
  const explained = new Set(story.attachments.map(({ id }) => id));
  for (const outcome of outcomes) if (outcome.status === 'done') explained.add(outcome.value.id);
  const unexplained = now.attachments.filter(({ id }) => !explained.has(id)).map(({ filename }) => filename);
  return failed.flatMap(({ item, error }) => {
    const index = fateIsUnknown(error) ? unexplained.indexOf(item.filename) : -1;
    if (index < 0) return [item];
    unexplained.splice(index, 1);
    return [];
  });
}
