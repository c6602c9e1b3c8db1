const format = new Intl.DateTimeFormat(languageOf(document.documentElement.lang), {
  dateStyle: 'medium',
  timeStyle: 'short',
});

/** Shows the moments below an element in the person's language and zone. */
export function showLocalTimes(element: HTMLElement): void {
  for (const time of element.querySelectorAll('time')) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.getTime())) time.textContent = format.format(moment);
  }
}

/** None, which is that of the window, for one that is not known. */
function languageOf(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}
