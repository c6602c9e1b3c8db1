import * as vscode from 'vscode';
import { isCancelled } from '../../../core/errors.ts';
import type { OutgoingFiles, ZipEntry } from '../../../core/ports/outgoingFiles.ts';
import type { SecretFinding, SecretKind } from '../../../core/ports/secretLines.ts';
import type { Caller } from '../../../host/shell/commands.ts';
import { attachmentLimit } from '../../../host/shell/featureSettings.ts';
import type { Messages } from '../../../host/shell/messages.ts';
import { byteText, withoutIcons } from '../../../host/shell/plainText.ts';
import { ByteCount } from '../send/pace.ts';
import { withDelayedProgress } from '../send/withDelayedProgress.ts';
import { type Offered, oddity, type Prepared, type PrepareNeeds, type Ready, type Wishes } from './candidate.ts';
import { withFolders } from './folders.ts';
import { candidatesOf } from './offeredFiles.ts';

/** What of the things offered is to be sent, after all questions about them; `undefined` when the person turned away. */
export async function prepared(
  needs: PrepareNeeds,
  offered: readonly Offered[],
  caller: Caller,
  wishes: Wishes = {},
): Promise<Prepared | undefined> {
  try {
    const candidates = await candidatesOf(offered);
    const steps = [
      (now: Prepared) => withFolders(needs, candidates, now, caller, wishes),
      async (now: Prepared) => withinLimit(now),
      (now: Prepared) => withoutEmpty(needs.messages, now, caller, wishes),
      (now: Prepared) => withoutSecrets(needs, now, caller, wishes),
      (now: Prepared) => zipped(needs.outgoing, now),
    ];
    let now: Prepared | undefined = {
      files: candidates.filter((one) => one.kind === 'ready'),
      leftOut: candidates.flatMap((one) => (one.kind === 'unusable' ? [one.sentence] : [])),
      unread: candidates.flatMap((one) => (one.kind === 'unusable' && one.uri ? [one.uri] : [])),
      allowed: wishes.allowed ?? new Set(),
    };
    for (const step of steps) now = now && (await step(now));
    return now;
  } catch (thrown) {
    if (caller === 'person' && isCancelled(thrown)) return undefined;
    throw thrown;
  }
}

/** Without what is larger than the settings allow; an archive is looked at when it is there. */
function withinLimit(now: Prepared): Prepared {
  const { files, leftOut } = now;
  const isOver = (file: Ready) => file.bundle === undefined && overLimit(file) !== undefined;
  const sentences = files.filter(isOver).flatMap((file) => overLimit(file) ?? []);
  return { ...now, files: files.filter((file) => !isOver(file)), leftOut: [...leftOut, ...sentences] };
}

/** Says that a file is larger than the settings allow; `undefined` when it is not. */
function overLimit({ filename, size }: Ready): string | undefined {
  const limit = attachmentLimit();
  if (size <= limit) return undefined;
  return vscode.l10n.t(
    '“{0}” is too large ({1}). The setting “storyTracker.attachmentLimit” allows {2}.',
    filename,
    byteText(size),
    byteText(limit),
  );
}

/** A person is asked about empty files, but for those of an archive; for a program they are left out. */
async function withoutEmpty(
  messages: Messages,
  now: Prepared,
  caller: Caller,
  { allowed }: Wishes,
): Promise<Prepared | undefined> {
  const { files, leftOut } = now;
  const isEmpty = (file: Ready) => file.size === 0 && file.bundle === undefined && !allowed?.has(oddity(file, 'empty'));
  const empty = files.filter(isEmpty);
  if (empty.length === 0) return now;
  const full = files.filter((file) => !isEmpty(file));
  if (caller === 'program') {
    const sentences = empty.map(({ filename }) => vscode.l10n.t('“{0}” is empty.', filename));
    return { ...now, files: full, leftOut: [...leftOut, ...sentences] };
  }
  const answer = await askAboutEmpty(messages, empty);
  if (answer !== 'attach') return answer && { ...now, files: full };
  return { ...now, allowed: new Set([...now.allowed, ...empty.map((file) => oddity(file, 'empty'))]) };
}

async function askAboutEmpty(messages: Messages, empty: readonly Ready[]): Promise<'attach' | 'leaveOut' | undefined> {
  const names = empty.map(({ filename }) => `“${filename}”`).join(', ');
  const question =
    empty.length === 1 ? vscode.l10n.t('{0} is empty.', names) : vscode.l10n.t('These files are empty: {0}.', names);
  const attachAnyway = vscode.l10n.t('Attach Anyway');
  const leaveOut = vscode.l10n.t('Leave Out');
  const answer = await messages.ask(question, undefined, attachAnyway, leaveOut);
  if (answer === attachAnyway) return 'attach';
  return answer === leaveOut ? 'leaveOut' : undefined;
}

/** A person is asked about files that seem to hold secrets; for a program they are left out unless it wishes them. */
async function withoutSecrets(
  { messages, outgoing }: PrepareNeeds,
  now: Prepared,
  caller: Caller,
  wishes: Wishes,
): Promise<Prepared | undefined> {
  if (wishes.evenSecrets) return now;
  const { files, leftOut } = now;
  const isNew = ({ file, findings }: Suspect) => !wishes.allowed?.has(oddity(file, findings));
  const suspects = (await suspectsAmong(outgoing, files)).filter(isNew);
  if (suspects.length === 0) return now;
  const chosen = caller === 'person' ? await askAboutSecrets(messages, suspects) : [];
  if (!chosen) return undefined;
  const out = suspects.filter((one) => !chosen.includes(one));
  const sentences = out.map(({ file, findings }) =>
    vscode.l10n.t('“{0}” may contain a secret: {1}.', file.filename, findings.map(secretText).join(', ')),
  );
  return {
    ...now,
    files: files.filter((file) => !out.some((suspect) => suspect.file === file)),
    leftOut: caller === 'program' ? [...leftOut, ...sentences] : leftOut,
    allowed: new Set([...now.allowed, ...chosen.map(({ file, findings }) => oddity(file, findings))]),
  };
}

async function suspectsAmong(outgoing: OutgoingFiles, files: readonly Ready[]): Promise<readonly Suspect[]> {
  const suspects: Suspect[] = [];
  await withDelayedProgress(vscode.l10n.t('Looking for secrets…'), async (signal) => {
    for (const file of files) {
      // A file that has gone in the meantime is told of when it is sent.
      const source = await file.open().catch(() => undefined);
      const findings = source ? await outgoing.secretsIn({ ...source, filename: file.filename }, { signal }) : [];
      if (findings.length > 0) suspects.push({ file, findings });
    }
  });
  return suspects;
}

interface Suspect {
  readonly file: Ready;
  readonly findings: readonly SecretFinding[];
}

/** Which of the suspects to attach all the same; `undefined`: nothing is to be attached at all. */
async function askAboutSecrets(
  messages: Messages,
  suspects: readonly Suspect[],
): Promise<readonly Suspect[] | undefined> {
  const [only, ...others] = suspects;
  return only && others.length === 0 ? askAboutOne(messages, only) : askAboutSeveral(suspects);
}

async function askAboutOne(messages: Messages, suspect: Suspect): Promise<readonly Suspect[] | undefined> {
  const attach = vscode.l10n.t('Attach Anyway');
  const leaveOut = vscode.l10n.t('Leave Out');
  const question = vscode.l10n.t('“{0}” may contain a secret.', suspect.file.filename);
  const detail = [...suspect.findings.map(secretText), '', everybody()].join('\n');
  const answer = await messages.ask(question, detail, leaveOut, attach);
  if (answer === attach) return [suspect];
  return answer === leaveOut ? [] : undefined;
}

async function askAboutSeveral(suspects: readonly Suspect[]): Promise<readonly Suspect[] | undefined> {
  const items = suspects.map((suspect) => ({
    label: withoutIcons(suspect.file.filename),
    detail: withoutIcons(suspect.findings.map(secretText).join(' · ')),
    suspect,
  }));
  const title = vscode.l10n.t('{0} files may contain secrets. {1}', suspects.length, everybody());
  const placeHolder = vscode.l10n.t('Select the files to attach anyway. The others are left out.');
  const chosen = await vscode.window.showQuickPick(items, {
    ...{ title, placeHolder, canPickMany: true, ignoreFocusOut: true },
  });
  return chosen?.map(({ suspect }) => suspect);
}

function everybody(): string {
  return vscode.l10n.t('Everyone who can see the story can read its attachments.');
}

/** "private key in line 3 (-----BEGIN PRIVATE KEY-----…)". */
function secretText({ kind, line, masked }: SecretFinding): string {
  const what = kindText(kind);
  if (line === undefined) return what;
  return vscode.l10n.t('{0} on line {1} ({2})', what, line, masked ?? '');
}

function kindText(kind: SecretKind): string {
  const texts: Readonly<Record<SecretKind, string>> = {
    privateKey: vscode.l10n.t('private key'),
    awsKey: vscode.l10n.t('AWS key'),
    githubToken: vscode.l10n.t('GitHub token'),
    gitlabToken: vscode.l10n.t('GitLab token'),
    slackToken: vscode.l10n.t('Slack token or hook'),
    npmToken: vscode.l10n.t('npm token'),
    pypiToken: vscode.l10n.t('PyPI token'),
    googleKey: vscode.l10n.t('Google API key'),
    stripeKey: vscode.l10n.t('Stripe key'),
    jwt: vscode.l10n.t('signed web token (JWT)'),
    trackerToken: vscode.l10n.t('API token of a tracking service'),
    password: vscode.l10n.t('password in an address'),
    authorization: vscode.l10n.t('authorization header'),
    secretFile: vscode.l10n.t('files with this name contain secrets'),
  };
  return texts[kind];
}

/** Packs files that belong to an archive into it; the archive takes their place. */
async function zipped(outgoing: OutgoingFiles, now: Prepared): Promise<Prepared> {
  const { files, leftOut } = now;
  const bundles = Map.groupBy(files, ({ bundle }) => bundle);
  const made: Ready[] = [];
  const over: string[] = [];
  try {
    for (const [name, parts] of bundles) {
      if (name === undefined) continue;
      const archive = await archiveOf(outgoing, name, parts);
      made.push(archive);
      over.push(...[overLimit(archive)].filter((sentence) => sentence !== undefined));
    }
  } catch (thrown) {
    for (const archive of made) await archive.discard?.();
    throw thrown;
  }
  for (const archive of made) if (overLimit(archive) !== undefined) await archive.discard?.();
  const fitting = made.filter((archive) => overLimit(archive) === undefined);
  return { ...now, files: [...(bundles.get(undefined) ?? []), ...fitting], leftOut: [...leftOut, ...over] };
}

async function archiveOf(outgoing: OutgoingFiles, name: string, parts: readonly Ready[]): Promise<Ready> {
  const filename = `${name}.zip`;
  const entries: ZipEntry[] = [];
  for (const part of parts) {
    entries.push({ source: { ...(await part.open()), filename: part.filename }, size: part.size });
  }
  const count = new ByteCount(parts.reduce((sum, { size }) => sum + size, 0));
  const { path, size } = await withDelayedProgress(vscode.l10n.t('Packing {0}', filename), (signal, tell) => {
    const onProgress = (done: number) => {
      const { sent, total, increment } = count.count(filename, done);
      if (increment > 0) tell(vscode.l10n.t('{0} of {1}', byteText(sent), byteText(total)), increment);
    };
    return outgoing.zip(entries, { signal, onProgress });
  });
  const open = async () => ({ kind: 'file', path, filename }) as const;
  return { kind: 'ready', filename, size, open, discard: () => outgoing.discard(path) };
}
