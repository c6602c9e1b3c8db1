import { replacedCharacters } from './assumptions.ts';
import type { Element } from './element.ts';
import { LIMITS } from './elementParser.ts';
import { XmlError } from './xmlError.ts';

/** Far more than a story has fields and labels. */
const MAX_PARAMETERS = 1_000;

interface Branch {
  readonly name: string;
  text: string;
  readonly children: Map<string, Branch>;
}

/**
 * `story[name]=…` and `membership[person][email]=…`, as old clients send in the query or as a form, in the shape of the XML body
 * called `root`; undefined when nothing of it is there. A list, `story[labels][]=…` for each of its items, is the text with
 * commas that the body holds. Characters that XML cannot hold are replaced. Throws `XmlError` when it nests too deeply, and
 * for too many parameters or too long a text.
 */
export function readFormBody(parameters: URLSearchParams, root: string): Element | undefined {
  if (parameters.size > MAX_PARAMETERS) throw new XmlError('This request has too many parameters.');
  const top: Branch = newBranch(root);
  let isFound = false;
  for (const [key, value] of parameters) {
    const path = pathOf(key);
    if (path[0] !== root || path.length < 2) continue;
    isFound = true;
    const branch = branchAt(top, path.slice(1));
    const text = replacedCharacters(value);
    branch.text = key.endsWith('[]') && branch.text !== '' ? `${branch.text},${text}` : text;
    if (branch.text.length > LIMITS.text) throw new XmlError('A parameter of this request is too long.');
  }
  return isFound ? elementOf(top) : undefined;
}

/** `a[b][c]` as `a`, `b`, `c`; the empty step of `a[]` is left out. */
function pathOf(key: string): readonly string[] {
  const steps = key.split('[').map((step) => step.replace(/\]$/, ''));
  if (steps.length > LIMITS.depth) throw new XmlError('A parameter of this request is nested too deeply.');
  return steps.filter((step) => step !== '');
}

function branchAt(top: Branch, path: readonly string[]): Branch {
  let branch = top;
  for (const name of path) {
    const next = branch.children.get(name) ?? newBranch(name);
    branch.children.set(name, next);
    branch = next;
  }
  return branch;
}

function newBranch(name: string): Branch {
  return { name, text: '', children: new Map() };
}

function elementOf({ name, text, children }: Branch): Element {
  return { name, attributes: {}, children: [...children.values()].map(elementOf), text };
}
