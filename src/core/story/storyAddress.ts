import { withoutEnd } from '../text.ts';

/** More than a person drags together. */
const MOST = 20;

/** The addresses of which a text consists, and nothing else; empty where there is anything more. */
export function addressesIn(text: string): readonly string[] {
  const words = text.trim().split(/\s+/, MOST + 1);
  return words.length <= MOST && words.every((word) => /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(word)) ? words : [];
}

/** The story that a link into an editor means, whichever editor (`vscode://story-tracker.story-tracker/story/12`). */
export function storyIdInLink(address: string): number | undefined {
  return idIn(/^[a-z][a-z\d+.-]*:\/\/story-tracker\.story-tracker\/story\/(\d{1,15})$/i.exec(address));
}

/** The story whose page it is, on the server with that address; as existing servers write them: `/story/show/12`, `/projects/1/stories/12`. */
export function storyIdOnServer(address: string, baseUrl: string): number | undefined {
  const page = URL.parse(address);
  const base = URL.parse(baseUrl);
  if (!page || !base || page.origin !== base.origin) return undefined;
  const folder = withoutEnd(base.pathname, '/');
  if (!page.pathname.startsWith(`${folder}/`)) return undefined;
  const path = page.pathname.slice(folder.length);
  return idIn(/^\/(?:story\/show|(?:projects\/\d{1,15}\/)?stories)\/(\d{1,15})\/?$/.exec(path));
}

/** The number with which the path of an address ends, a story's perhaps. */
export function lastNumber(address: string): number | undefined {
  return idIn(/\/(\d{1,15})\/?(?:[?#].*)?$/s.exec(address));
}

function idIn(match: RegExpExecArray | null): number | undefined {
  const id = Number(match?.[1]);
  return id > 0 ? id : undefined;
}

/** A commit as endpoint 6 takes it. The marker in `message` names the stories. */
export interface SourceCommit {
  readonly commitId: string;
  readonly message: string;
  readonly author: string;
  /** Address of the commit's page; the comment on the story links to it. */
  readonly url?: string;
}
