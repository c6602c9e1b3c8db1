import * as vscode from 'vscode';
import type { OutgoingFiles, ZipEntry } from '../../../core/ports/outgoingFiles.ts';
import { byteText } from '../../../host/shell/plainText.ts';
import { ByteCount } from '../send/byteCount.ts';
import { withDelayedProgress } from '../send/withDelayedProgress.ts';
import type { Ready } from './candidate.ts';
import type { Prepared } from './preparing.ts';
import { overLimit } from './withinLimit.ts';

/** Packs files that belong to an archive into it; the archive takes their place. */
export async function zipped(outgoing: OutgoingFiles, now: Prepared): Promise<Prepared> {
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
