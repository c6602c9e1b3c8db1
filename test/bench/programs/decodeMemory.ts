/** `decodeMemory [FILE]`: peak resident memory in MB after reading the file story by story, or, without one, of bare Node. */
import { createReadStream } from 'node:fs';

async function read(path: string): Promise<void> {
  const { readItems } = await import('../../../src/v3/read.ts');
  const { readStory } = await import('../../../src/v3/story.ts');
  await readItems(createReadStream(path), ['iteration', 'iteration/stories/story'], (item) => {
    if (item.name === 'story') readStory(item);
  });
}

async function main([path]: readonly string[]): Promise<void> {
  if (path !== undefined) await read(path);
  process.stdout.write(`${process.resourceUsage().maxRSS / 1000}\n`);
}

void main(process.argv.slice(2));
