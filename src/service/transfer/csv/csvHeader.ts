/** Columns of the closed service's export of which there is one. */
const single = {
  id: ['id', 'story id'],
  name: ['title', 'name', 'story'],
  labels: ['labels'],
  type: ['type', 'story type'],
  estimate: ['estimate', 'points'],
  state: ['current state', 'state'],
  createdAt: ['created at'],
  acceptedAt: ['accepted at'],
  deadline: ['deadline'],
  requestedBy: ['requested by'],
  description: ['description'],
  iterationEnd: ['iteration end'],
} as const;

/** Those that follow from others, or that lead to the closed service. */
const needless = ['iteration', 'iteration start', 'url'];

export type Single = keyof typeof single;

/** Where in a row what stands. */
export interface CsvHeader {
  readonly names: readonly string[];
  readonly at: Readonly<Partial<Record<Single, number>>>;
  readonly owners: readonly number[];
  readonly comments: readonly number[];
  /** Of each task the column of its text and that of its status. */
  readonly tasks: readonly (readonly [number, number | undefined])[];
  /** Columns of comments and tasks, which may go on in further rows. */
  readonly parts: ReadonlySet<number>;
  /** Columns of which nothing is known. */
  readonly unknown: readonly number[];
}

/** Reads the first row, whatever the order of the columns. Throws when there is no id or no title. */
export function readCsvHeader(cells: readonly string[]): CsvHeader {
  const names = cells.map((cell) => cell.trim());
  const keys = names.map((name) => name.toLowerCase().replace(/\s+/g, ' '));
  const at: Partial<Record<Single, number>> = {};
  for (const [field, titles] of Object.entries<readonly string[]>(single)) {
    const index = keys.findIndex((key) => titles.includes(key));
    if (index >= 0 && isSingle(field)) at[field] = index;
  }
  if (at.id === undefined || at.name === undefined) {
    throw new Error('This is not an export of stories: its first row must name the columns, among them Id and Title.');
  }
  const all = (name: string): number[] => keys.flatMap((key, index) => (key === name ? [index] : []));
  const [owners, comments, texts, statuses] = [all('owned by'), all('comment'), all('task'), all('task status')];
  const known = new Set([...Object.values(at), ...owners, ...comments, ...texts, ...statuses]);
  const unknown = keys.flatMap((key, index) =>
    known.has(index) || key === '' || needless.includes(key) ? [] : [index],
  );
  const tasks = texts.map((text, index) => [text, statuses[index]] as const);
  return { names, at, owners, comments, tasks, parts: new Set([...comments, ...texts, ...statuses]), unknown };
}

function isSingle(field: string): field is Single {
  return Object.hasOwn(single, field);
}
