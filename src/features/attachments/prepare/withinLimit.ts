import * as vscode from 'vscode';
import { byteText } from '../../../host/shell/plainText.ts';
import { attachmentLimit } from '../../../host/shell/settings.ts';
import type { Ready } from './candidate.ts';
import type { Prepared } from './preparing.ts';

/** Without what is larger than the settings allow; an archive is looked at when it is there. */
export function withinLimit(now: Prepared): Prepared {
  const { files, leftOut } = now;
  const isOver = (file: Ready) => file.bundle === undefined && overLimit(file) !== undefined;
  const sentences = files.filter(isOver).flatMap((file) => overLimit(file) ?? []);
  return { ...now, files: files.filter((file) => !isOver(file)), leftOut: [...leftOut, ...sentences] };
}

/** Says that a file is larger than the settings allow; `undefined` when it is not. */
export function overLimit({ filename, size }: Ready): string | undefined {
  const limit = attachmentLimit();
  if (size <= limit) return undefined;
  return vscode.l10n.t(
    '“{0}” is too large: {1}; the setting “storyTracker.attachmentLimit” allows {2}.',
    filename,
    byteText(size),
    byteText(limit),
  );
}
