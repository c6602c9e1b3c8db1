interface WithComment {
  readonly message: string;
  readonly comment: string;
}

/** Texts as they are without a translation: `{0}` is filled in. */
export const l10n = {
  t: (text: string | WithComment, ...args: readonly (string | number)[]) =>
    (typeof text === 'string' ? text : text.message).replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)])),
};
