import { panelTexts } from '../../../../src/features/storyPanel/panelTexts.ts';

/** The panel's texts as they are without a translation. */
export const englishTexts = panelTexts({
  l10n: { t: (message, ...args) => message.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)])) },
});
