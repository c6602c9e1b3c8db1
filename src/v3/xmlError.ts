/** The one error of this folder: text that is not the XML, or not the v3 element, that was expected. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  /** From 1, where the reader knows it. */
  readonly line: number | undefined;
  /** From 1, where the reader knows it. */
  readonly column: number | undefined;

  constructor(message: string, place?: { readonly line: number; readonly column: number }) {
    super(place ? `${message} (line ${place.line}, column ${place.column})` : message);
    this.line = place?.line;
    this.column = place?.column;
  }
}
