import type { CallOptions, UploadOptions } from '../../core/ports/tracker.ts';
import type {
  ExportFormat,
  ImportedId,
  ImportOptions,
  ImportProgress,
  ImportReport,
  RenumberedStory,
} from '../../core/story/importReport.ts';
import {
  DRY_RUN_PARAMETER,
  EXPORT_FORMAT_PARAMETER,
  IMPORT_PARAMETERS,
  IMPORTED_IDS_PARAMETER,
  MOST_IMPORTED_IDS,
} from '../../v3/assumptions.ts';
import { readImportedId, readImportProgress, readImportReport, readRenumbered } from '../../v3/importReport.ts';
import { writeNewFile } from '../files/newFile.ts';
import { type AnswerReader, listOf, one } from '../http/answers.ts';
import type { Calls } from '../http/calls.ts';
import { openFileBody } from '../http/uploadBody.ts';

/** Milliseconds in which a service takes in the stories of a file that it has, or makes the file of an export. */
const PATIENCE = 60 * 60_000;
/** Milliseconds between two reports of progress. */
const REPORT_EVERY = 100;

const report = one('import_report', readImportReport);
const progress = one('import', readImportProgress);

/** Files of stories on their way to and from a server; streamed, so that memory does not grow with them. */
export class TransferCalls {
  private readonly calls: Calls;

  constructor(calls: Calls) {
    this.calls = calls;
  }

  async importStories(path: string, wanted: ImportOptions, options: UploadOptions = {}): Promise<ImportReport> {
    const { projectId } = wanted;
    const body = await openFileBody(path, options.onProgress);
    const more = { body, query: importQuery(wanted), patience: PATIENCE };
    try {
      return projectId === undefined
        ? await this.calls.call('importNewProject', {}, report, options, more)
        : await this.calls.call('importStories', { projectId }, report, options, more);
    } finally {
      await body.close();
    }
  }

  importProgress(importId: number, options?: CallOptions): Promise<ImportProgress> {
    return this.calls.call('importProgress', { importId }, progress, options);
  }

  async importedIds(
    projectId: number,
    externalIds: readonly string[],
    options?: CallOptions,
  ): Promise<readonly ImportedId[]> {
    const read = listOf('imported_stories', 'imported_story', readImportedId);
    const found: ImportedId[] = [];
    for (let from = 0; from < externalIds.length; from += MOST_IMPORTED_IDS) {
      const some = externalIds.slice(from, from + MOST_IMPORTED_IDS).join(',');
      const query = new URLSearchParams({ [IMPORTED_IDS_PARAMETER]: some });
      found.push(...(await this.calls.call('importedStories', { projectId }, read, options, { query })));
    }
    return found;
  }

  async renumberedStories(options?: CallOptions): Promise<readonly RenumberedStory[]> {
    const read = listOf('imported_stories', 'imported_story', readRenumbered);
    const found = await this.calls.call('renumberedStories', {}, read, options);
    return found.filter(({ formerId }) => formerId > 0);
  }

  /** Gives the bytes of the file, which is there once it is whole and takes the place of another one of its name. */
  async exportProject(
    projectId: number,
    format: ExportFormat,
    path: string,
    { signal, onProgress, ...options }: UploadOptions = {},
  ): Promise<number> {
    const read: AnswerReader<number> = async (body) => {
      let written = 0;
      let toldAt = 0;
      async function* counted(): AsyncGenerator<Uint8Array> {
        for await (const chunk of body) {
          const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
          yield piece;
          written += piece.length;
          if (performance.now() - toldAt < REPORT_EVERY) continue;
          toldAt = performance.now();
          onProgress?.(written, written);
        }
      }
      await writeNewFile(path, counted(), { signal, isReplacing: true });
      return written;
    };
    const query = new URLSearchParams({ [EXPORT_FORMAT_PARAMETER]: format });
    const called = { ...options, ...(signal && { signal }) };
    return this.calls.call('exportProject', { projectId }, read, called, { query, patience: PATIENCE });
  }
}

function importQuery({ projectName, people = {}, dryRun, importId }: ImportOptions): URLSearchParams {
  const query = new URLSearchParams();
  if (dryRun) query.set(DRY_RUN_PARAMETER, 'true');
  if (projectName !== undefined) query.set(IMPORT_PARAMETERS.projectName, projectName);
  if (importId !== undefined) query.set(IMPORT_PARAMETERS.importId, String(importId));
  for (const [name, address] of Object.entries(people)) query.append(IMPORT_PARAMETERS.person, `${name}=${address}`);
  return query;
}
