import type { Element } from './element.ts';
import { LIMITS } from './elementParser.ts';
import { XmlError } from './xmlError.ts';

interface Branch {
  readonly name: string;
  text: string;
  readonly children: Branch[];
}

/**
 * `story[name]=…` and `membership[person][email]=…`, as old clients send in the query or as a form, in the shape of the XML body
 * called `root`; undefined when nothing of it is there. A list, `story[labels][]=…` for each of its items, is the text with
 * commas that the body holds. Throws `XmlError` when it nests too deeply.
 */
export function readFormBody(parameters: URLSearchParams, root: string): Element | undefined {
  const top: Branch = { name: root, text: '', children: [] };
  let isFound = false;
  for (const [key, value] of parameters) {
    const path = pathOf(key);
    if (path[0] !== root || path.length < 2) continue;
    isFound = true;
    const branch = branchAt(top, path.slice(1));
    branch.text = key.endsWith('[]') && branch.text !== '' ? `${branch.text},${value}` : value;
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
    const known = branch.children.find((child) => child.name === name);
    const next = known ?? { name, text: '', children: [] };
    if (!known) branch.children.push(next);
    branch = next;
  }
  return branch;
}

function elementOf({ name, text, children }: Branch): Element {
  return { name, attributes: {}, children: children.map(elementOf), text };
}
