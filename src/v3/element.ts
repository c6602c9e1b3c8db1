/**
 * One XML element as every decoder takes it and every encoder makes it. `text` is the character data directly inside,
 * entities resolved; it stays text until the field is known.
 */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
  /** Whether the root of a document, when it is empty, is written with a closing tag all the same. */
  readonly hasClosingTag?: true;
}
