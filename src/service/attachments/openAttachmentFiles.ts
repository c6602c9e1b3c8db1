import { join } from 'node:path';
import { missingPart } from '../ground/errors.ts';
import type { AttachmentFiles, FilesOwner } from './attachmentFiles.ts';
import type { BucketAddress } from './bucketAddress.ts';
import { FolderFiles } from './folderFiles.ts';

/** Where attached files are. */
export interface FilesPlace {
  /** Of the data. */
  readonly folder: string;
  /** The bucket that has the files; the folder `attachments` in that of the data has them without one. */
  readonly bucket?: BucketAddress;
}

export async function openAttachmentFiles(
  { folder, bucket }: FilesPlace,
  owner?: FilesOwner,
): Promise<AttachmentFiles> {
  const own = join(folder, 'attachments');
  if (bucket === undefined) return FolderFiles.open(own, owner);
  const { openBucketFiles } = await import('./bucketFiles.ts').catch(missingPart('bucket.js', 'for files in a bucket'));
  return openBucketFiles(own, bucket, owner);
}
