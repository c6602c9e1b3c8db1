import { panelTexts } from '../../../../src/features/storyPanel/panelTexts.ts';

/** Texts as they are without a translation. */
export const l10n = {
  t: (message: string, ...args: readonly (string | number)[]) =>
    message.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)])),
};

export const englishTexts = panelTexts({ l10n });
