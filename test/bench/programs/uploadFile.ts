/** `uploadFile SERVER FILE`: sends it with our client; prints the time, and the peak memory over that of the client at rest. */
import { basename } from 'node:path';
import { createTracker } from '../../../src/client/tracker/httpTracker.ts';
import { silentLog } from '../../support/silentLog.ts';
import type { UploadFigures } from '../upload.ts';

const story = { projectId: 1, storyId: 1 };

async function main([baseUrl = '', path = '']: readonly string[]): Promise<void> {
  const tracker = createTracker({ baseUrl, token: async () => 'benchmark', log: silentLog });
  // One small upload first: what is measured is the file, not the loading of code on first use.
  await tracker.uploadAttachment(story, { kind: 'bytes', filename: 'small.bin', bytes: new Uint8Array(100) });
  const idle = process.memoryUsage.rss();
  const begun = performance.now();
  await tracker.uploadAttachment(story, { kind: 'file', filename: basename(path), path });
  const milliseconds = performance.now() - begun;
  const figures: UploadFigures = { milliseconds, megabytes: process.resourceUsage().maxRSS / 1000 - idle / 1e6 };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  await tracker.close();
}

void main(process.argv.slice(2));
