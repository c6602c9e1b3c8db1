/**
 * The texts of what runs without VS Code. Windows translate theirs with `vscode.l10n`; the same bundle is set here, once, in the
 * window and in its worker thread. The service sets none, so that it answers in English.
 */
let translations: Readonly<Record<string, string>> = {};

export function setTranslations(bundle: Readonly<Record<string, string>>): void {
  translations = bundle;
}

/** The text in the person's language, with values for `{0}`, `{1}`. Called when the text is needed: no bundle is set while modules load. */
export function t(text: string, ...values: readonly (string | number)[]): string {
  const translated = translations[text] ?? text;
  return translated.replace(/\{(\d)\}/g, (placeholder, index) => String(values[Number(index)] ?? placeholder));
}
