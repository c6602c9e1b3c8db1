import * as vscode from 'vscode';
import type { OutgoingFiles } from '../../../core/ports/outgoingFiles.ts';
import { withDelayedProgress } from '../send/withDelayedProgress.ts';
import { oddity } from './allowed.ts';
import { askAboutSecrets, type Suspect } from './askAboutSecrets.ts';
import type { Ready } from './candidate.ts';
import type { Caller, Prepared, PrepareNeeds, Wishes } from './preparing.ts';
import { secretText } from './secretTexts.ts';

/** A person is asked about files that seem to hold secrets; for a program they are left out unless it wishes them. */
export async function withoutSecrets(
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
    vscode.l10n.t('“{0}” seems to hold a secret: {1}.', file.filename, findings.map(secretText).join(', ')),
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
      // A file that has gone meanwhile is told of when it is sent.
      const source = await file.open().catch(() => undefined);
      const findings = source ? await outgoing.secretsIn({ ...source, filename: file.filename }, { signal }) : [];
      if (findings.length > 0) suspects.push({ file, findings });
    }
  });
  return suspects;
}
