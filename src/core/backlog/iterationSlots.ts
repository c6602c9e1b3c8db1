import type { IterationSlot, PlanningRules } from './plannedIteration.ts';

/** What decides how long iterations are and how much a team does in them. */
export type SlotRules = Pick<PlanningRules, 'iterationLength' | 'overrides'>;

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const EPOCH_WEEKDAY = 4; // 1 January 1970 was a Thursday
const MONDAY = 1;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The midnight UTC at or before `moment` that falls on the weekday. */
function weekStart(moment: number, weekday: string): number {
  const named = weekdays.indexOf(weekday.trim().toLowerCase());
  const wanted = named < 0 ? MONDAY : named;
  const day = Math.floor(moment / DAY);
  const since = (((day + EPOCH_WEEKDAY - wanted) % 7) + 7) % 7;
  return (day - since) * DAY;
}

/** Iteration `number`, starting at `start`, by the project's rule or its override. */
export function slotAt(number: number, start: number, rules: SlotRules): IterationSlot {
  const override = rules.overrides?.get(number);
  const usual = wholeWeeks(rules.iterationLength) ?? 1;
  const length = wholeWeeks(override?.length) ?? usual;
  const teamStrength = Math.max(0, override?.teamStrength ?? 1);
  return { number, start, finish: start + length * WEEK, teamStrength, share: (teamStrength * length) / usual };
}

export function slotAfter(slot: IterationSlot, rules: SlotRules): IterationSlot {
  return slotAt(slot.number + 1, slot.finish, rules);
}

/** The iterations before the one that holds `now`, oldest first, and that one. The first holds `first`, and is the current one until then. */
export function slotsUntil(
  now: number,
  first: number,
  rules: PlanningRules,
): { readonly past: readonly IterationSlot[]; readonly current: IterationSlot } {
  const past: IterationSlot[] = [];
  let current = slotAt(1, weekStart(first, rules.weekStartDay), rules);
  while (current.finish <= now) {
    past.push(current);
    current = slotAfter(current, rules);
  }
  return { past, current };
}

function wholeWeeks(length: number | undefined): number | undefined {
  return length !== undefined && Number.isInteger(length) && length >= 1 ? length : undefined;
}
