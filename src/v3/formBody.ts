import { MAX_FIELDS } from '../core/limits.ts';
import { replacedCharacters } from './assumptions.ts';
import type { Element } from './element.ts';
import { LIMITS } from './elementParser.ts';
import { XmlError } from './xmlError.ts';

/** Characters of the name of a parameter: as many as the elements that it names may have together. */
const MAX_KEY = LIMITS.depth * LIMITS.name;

interface Branch {
  readonly name: string;
  text: string;
  readonly children: Map<string, Branch>;
}

/**
 * `story[name]=…` and `membership[person][email]=…`, as old clients send in the query or as a form, in the shape of the XML body
 * called `root`; undefined when nothing of it is there. A list, `story[labels][]=…` for each of its items, is the text with
 * commas that the body holds. Characters that XML cannot hold are replaced. Throws `XmlError` when it nests too deeply or names too
 * many fields, and for too long a text; how many parameters there are is for the caller to limit, before they are parsed.
 */
export function readFormBody(parameters: URLSearchParams, root: string): Element | undefined {
  const top: Branch = newBranch(root);
  let fields = 0;
  let isFound = false;
  for (const [key, value] of parameters) {
    if (value.length > LIMITS.text) throw new XmlError('A parameter of this request is too long.');
    const path = pathOf(key);
    if (path[0] !== root || path.length < 2) continue;
    isFound = true;
    const branch = branchAt(top, path.slice(1), () => {
      fields += 1;
      if (fields > MAX_FIELDS) throw new XmlError('The parameters of this request name too many fields.');
    });
    const text = replacedCharacters(value);
    branch.text = key.endsWith('[]') && branch.text !== '' ? `${branch.text},${text}` : text;
    if (branch.text.length > LIMITS.text) throw new XmlError('A parameter of this request is too long.');
  }
  return isFound ? elementOf(top) : undefined;
}

/** `a[b][c]` as `a`, `b`, `c`; the empty step of `a[]` is left out. */
function pathOf(key: string): readonly string[] {
  if (key.length > MAX_KEY) throw new XmlError('The name of a parameter of this request is too long.');
  const steps = key.split('[').map((step) => step.replace(/\]$/, ''));
  if (steps.length > LIMITS.depth) throw new XmlError('A parameter of this request is nested too deeply.');
  return steps.filter((step) => step !== '');
}

/** Calls `onNew` before each branch that it makes. */
function branchAt(top: Branch, path: readonly string[], onNew: () => void): Branch {
  let branch = top;
  for (const name of path) {
    let next = branch.children.get(name);
    if (!next) {
      onNew();
      next = newBranch(name);
      branch.children.set(name, next);
    }
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
