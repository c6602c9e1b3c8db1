import type MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

const TASK = /^\[([ xX])\](?=\s)/;

/** Shows `[ ]` and `[x]` at the beginning of a list's items as boxes, as other trackers do; nobody can tick them. */
export function taskItems({ core }: InstanceType<typeof MarkdownIt>): void {
  core.ruler.push('taskItems', ({ tokens }) => {
    for (const [index, { type }] of tokens.entries()) {
      const text = type === 'list_item_open' ? firstText(tokens, index) : undefined;
      const [mark, tick] = TASK.exec(text?.content ?? '') ?? [];
      if (!text || mark === undefined) continue;
      text.content = `${tick === ' ' ? '☐' : '☑'}${text.content.slice(mark.length)}`;
      tokens[index]?.attrJoin('class', 'task');
    }
  });
}

/** The words with which an item begins. */
function firstText(tokens: readonly Token[], item: number): Token | undefined {
  const [paragraph, line] = tokens.slice(item + 1, item + 3);
  const first = paragraph?.type === 'paragraph_open' ? line?.children?.[0] : undefined;
  return first?.type === 'text' ? first : undefined;
}
