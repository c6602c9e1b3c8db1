import type { Tx } from '../database.ts';

/** What an administrator can decide for the whole service, and what is so until then: the first. */
export const RULES = {
  /** Whom an owner may make a member of a project: who is a user already, anyone with an address, or none but by the command line. */
  'adding-people': ['users', 'anyone', 'administrators'],
} as const;

type RuleName = keyof typeof RULES;
export type RuleValue<N extends RuleName> = (typeof RULES)[N][number];

export function isRuleName(text: string): text is RuleName {
  return Object.hasOwn(RULES, text);
}

/** As it is now, whatever process changed it. */
export async function ruleValue<N extends RuleName>(tx: Tx, name: N): Promise<RuleValue<N>> {
  const row = await tx.selectFrom('rules').select('value').where('name', '=', name).executeTakeFirst();
  const values: readonly RuleValue<N>[] = RULES[name];
  return values.find((value) => value === row?.value) ?? RULES[name][0];
}

export async function setRule<N extends RuleName>(tx: Tx, name: N, value: RuleValue<N>): Promise<void> {
  await tx
    .insertInto('rules')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
