import { messageOf } from '../../../core/errors.ts';
import type { Tx } from '../../store/database.ts';
import { setOverride } from '../../store/projects/iterationOverrides.ts';
import { setWebHook } from '../../store/projects/webHook.ts';
import { readWebHookUrl } from '../../webHooks/webHookUrl.ts';
import type { ProjectExtras } from '../xml/projectExtras.ts';
import type { Remarks } from './remarks.ts';

interface Wishes {
  readonly takesWebHook?: boolean;
  readonly now: number;
  readonly remarks: Remarks;
}

/** Gives a new project what a file has beside the API's words. Nobody is told twice of activity only because it was taken in elsewhere. */
export async function addExtras(
  tx: Tx,
  projectId: number,
  { overrides, webHookUrl }: ProjectExtras,
  { takesWebHook = false, now, remarks }: Wishes,
): Promise<void> {
  for (const override of overrides) await setOverride(tx, projectId, override);
  if (webHookUrl === undefined) return;
  const remark = (why: string): void => {
    const value = URL.parse(webHookUrl)?.origin ?? '';
    remarks.add({ row: 0, id: '', column: 'web_hook_url', value, why });
  };
  if (!takesWebHook) return remark('The activity is posted nowhere. Give --web-hook to have it posted there.');
  try {
    await setWebHook(tx, projectId, { url: readWebHookUrl(webHookUrl) }, now);
  } catch (error) {
    remark(messageOf(error));
  }
}
