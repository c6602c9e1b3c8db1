/** Texts as they are without a translation: `{0}` is filled in. */
export const l10n = {
  t: (message: string, ...args: readonly (string | number)[]) =>
    message.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)])),
};
