import type { SourceCommit } from '../core/story/storyAddress.ts';
import { AUTHOR_ELEMENT } from './assumptions.ts';
import { type Element, parent, textElement } from './element.ts';
import { present, rawText, word } from './fields.ts';

/** The body of endpoint 6; what is missing comes as empty text, for the service to refuse. */
export function readSourceCommit(element: Element): SourceCommit {
  return present({
    commitId: word(element, 'commit_id') ?? '',
    message: rawText(element, 'message') ?? '',
    author: rawText(element, AUTHOR_ELEMENT) ?? '',
    url: word(element, 'url'),
  });
}

export function sourceCommitElement(commit: SourceCommit): Element {
  return parent('source_commit', [
    textElement('message', commit.message),
    textElement(AUTHOR_ELEMENT, commit.author),
    textElement('commit_id', commit.commitId),
    textElement('url', commit.url),
  ]);
}
