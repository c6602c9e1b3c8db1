import * as vscode from 'vscode';

/** Something that is done unless its tick is taken away. */
export interface Step<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** Whether it has a tick at first. */
  readonly isUsual: boolean;
  /** The tick is the same each time, whatever it was the last time. */
  readonly isForgotten?: boolean;
}

type Ticks = Readonly<Record<string, boolean>>;

interface Asked {
  readonly title: string;
  readonly placeHolder: string;
  /** Under what the ticks of this list are remembered in the workspace. */
  readonly memoryKey: string;
}

/** Asks which of the steps to take, ticked as they were the last time. `undefined`: the person turned away. */
export async function askSteps<Name extends string>(
  memory: vscode.Memento,
  steps: readonly Step<Name>[],
  { title, placeHolder, memoryKey }: Asked,
): Promise<ReadonlySet<Name> | undefined> {
  const ticks = memory.get<Ticks>(memoryKey, {});
  const items = steps.map((step) => ({
    name: step.name,
    label: step.label,
    ...(step.description !== undefined && { description: step.description }),
    ...(step.detail !== undefined && { detail: step.detail }),
    picked: step.isForgotten ? step.isUsual : (ticks[step.name] ?? step.isUsual),
  }));
  const picked = await vscode.window.showQuickPick(items, { canPickMany: true, title, placeHolder });
  if (!picked) return undefined;
  const taken = new Set(picked.map(({ name }) => name));
  const kept = steps.filter(({ isForgotten }) => !isForgotten).map(({ name }) => [name, taken.has(name)]);
  await memory.update(memoryKey, { ...ticks, ...Object.fromEntries(kept) });
  return taken;
}
