import type { Element } from '../../../v3/element.ts';
import { arrayElement, floatElement, integerElement, parent, textElement } from '../../../v3/elements.ts';
import { decimal, integer, present, rawText } from '../../../v3/fields.ts';
import { readChildList } from '../../../v3/list.ts';
import type { IterationOverride } from '../../store/projects/iterationOverrides.ts';

/** What a project has that the API's documents do not tell; elements of ours, beside theirs in an export. */
export interface ProjectExtras {
  readonly overrides: readonly IterationOverride[];
  /** Only where it was asked for: who knows the address may be able to post there. */
  readonly webHookUrl?: string;
}

const OVERRIDES = 'iteration_overrides';
const OVERRIDE = 'iteration_override';
const WEB_HOOK_URL = 'web_hook_url';

export function extraElements({ overrides, webHookUrl }: ProjectExtras): readonly Element[] {
  const list = overrides.length > 0 ? [arrayElement(OVERRIDES, overrides.map(overrideElement))] : [];
  const url = textElement(WEB_HOOK_URL, webHookUrl);
  return url ? [...list, url] : list;
}

/** What is not understood of them is left out. */
export function readExtras(project: Element): ProjectExtras {
  const overrides = readChildList(project, OVERRIDES, OVERRIDE, readOverride).flatMap((one) => one ?? []);
  return present({ overrides, webHookUrl: rawText(project, WEB_HOOK_URL)?.trim() || undefined });
}

function overrideElement({ number, teamStrength, weeks }: IterationOverride): Element {
  return parent(OVERRIDE, [
    integerElement('number', number),
    integerElement('length', weeks ?? undefined),
    floatElement('team_strength', teamStrength),
  ]);
}

const MOST_WEEKS = 4;
const MOST_STRENGTH = 10;
const LAST_NUMBER = 100_000;

function readOverride(element: Element): IterationOverride | undefined {
  const [number = 0, weeks] = [integer(element, 'number'), integer(element, 'length')];
  const teamStrength = decimal(element, 'team_strength') ?? 1;
  const isPossible = number >= 1 && number <= LAST_NUMBER && teamStrength >= 0 && teamStrength <= MOST_STRENGTH;
  if (!isPossible || (weeks !== undefined && (weeks < 1 || weeks > MOST_WEEKS))) return undefined;
  return { number, teamStrength, weeks: weeks ?? null };
}
