import { activityTexts } from '../../../../src/features/activity/activityTexts.ts';
import { l10n } from '../../../support/texts/untranslated.ts';

/** The texts as they are without a translation. */
export const english = activityTexts({ l10n });
