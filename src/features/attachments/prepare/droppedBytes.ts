import * as vscode from 'vscode';
import { byteText } from '../../../host/shell/plainText.ts';
import { MEMORY_LIMIT, type Offered, readyBytes, tooLargeForMemory, type Unusable } from './candidate.ts';

/** Bytes that one drop may bring into memory. */
const DROP_LIMIT = 2 * MEMORY_LIMIT;

/**
 * Dropped files as they can be sent. Those without an address are read one after the other, as long as all of them together
 * are not too much for memory; how large one is shows only once it is read.
 */
export async function droppedBytes(files: readonly vscode.DataTransferFile[]): Promise<readonly Offered[]> {
  const offered: Offered[] = [];
  let bytes = 0;
  for (const file of files) {
    if (file.uri) offered.push(file.uri);
    else if (bytes >= DROP_LIMIT) offered.push(tooMany(file.name));
    else {
      const data = await file.data();
      bytes += data.byteLength;
      const isLarge = data.byteLength > MEMORY_LIMIT;
      offered.push(isLarge ? tooLargeForMemory(file.name, data.byteLength) : readyBytes(file.name, data));
    }
  }
  return offered;
}

function tooMany(name: string): Unusable {
  const sentence = vscode.l10n.t(
    'Could not read “{0}”. Files that are not on this machine can be dropped up to {1} at a time.',
    name,
    byteText(DROP_LIMIT),
  );
  return { kind: 'unusable', sentence };
}
