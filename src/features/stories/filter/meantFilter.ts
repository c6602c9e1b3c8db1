import { type FilterTerm, filterTerms, quoted } from '../../../core/filter/filterTerms.ts';
import { nearestName } from '../../../core/nearestName.ts';
import { folded } from '../../../core/text.ts';
import type { FilterValues } from './filterValues.ts';

/** Keys whose values are all known, so that another one is likely a slip. */
const COMPLETE = new Set(['type', 'state', 'label', 'owner', 'requester', 'mywork', 'integration', 'project']);

/**
 * The filter that was probably meant where a value is none that its key has here but close to one, such as `state:strated`;
 * `undefined` where all is known, or nothing is near. Throws `input` when the text is no filter.
 */
export function meantFilter(typed: string, values: FilterValues): string | undefined {
  const terms = filterTerms(typed);
  const meant = terms.map((term) => meantTerm(term, values));
  return meant.some((term, index) => term !== terms[index]) ? meant.map(textOf).join(' ') : undefined;
}

function meantTerm(term: FilterTerm, values: FilterValues): FilterTerm {
  if (term.key === undefined || !COMPLETE.has(term.key)) return term;
  const known = values.get(term.key) ?? [];
  const meant = term.values.map((value) => (isKnown(value, known) ? value : (nearestName(value, known) ?? value)));
  return meant.some((value, index) => value !== term.values[index]) ? { ...term, values: meant } : term;
}

/** As a whole, or part of one: people and projects are found by words of their names. */
function isKnown(value: string, known: readonly string[]): boolean {
  const wanted = folded(value);
  return known.some((one) => folded(one).includes(wanted));
}

function textOf({ key, values, isNegated }: FilterTerm): string {
  const said = values.map(quoted).join(',');
  return key === undefined ? said : `${isNegated ? '-' : ''}${key}:${said}`;
}
