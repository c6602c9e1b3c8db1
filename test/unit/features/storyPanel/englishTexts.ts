import { panelTexts } from '../../../../src/features/storyPanel/panelTexts.ts';
import { l10n } from '../../../support/texts/untranslated.ts';

/** Texts as they are without a translation. */
export const englishTexts = panelTexts({ l10n });
