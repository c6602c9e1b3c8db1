import { activityTexts } from '../../../../src/features/activity/activityTexts.ts';

/** The texts as they are without a translation. */
export const english = activityTexts({
  l10n: { t: (message, ...args) => message.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)])) },
});
