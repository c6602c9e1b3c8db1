import type { Page } from 'playwright-core';

/** The pages of windows that are open now, so that a test that fails can tell what they show. */
export const openWindows = new Set<Page>();
