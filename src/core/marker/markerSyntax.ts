/** What a marker asks of the stories it names (protocol.md, Commit markers), weakest first. */
export const markerEffects = ['comment', 'finish', 'deliver'] as const;
export type MarkerEffect = (typeof markerEffects)[number];

/** The verbs that we write; `''` only comments. */
export const markerVerbs = ['fixes', 'finishes', 'delivers', ''] as const;
export type MarkerVerb = (typeof markerVerbs)[number];

/** Offsets in UTF-16 units; `end` is behind the last one. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** `id` with the place of `#12`, hash included. */
export interface MarkedId {
  readonly id: number;
  readonly range: TextRange;
}

/** One pair of brackets with everything in it. */
export interface Marker {
  readonly range: TextRange;
  /** The verb as it was typed, or `''`. */
  readonly verb: string;
  readonly effect: MarkerEffect;
  readonly ids: readonly MarkedId[];
}

const effectOfVerb: ReadonlyMap<string, MarkerEffect> = new Map([
  ['', 'comment'],
  ...['fix', 'fixes', 'fixed', 'complete', 'completes', 'completed', 'finish', 'finishes', 'finished'].map(
    (verb) => [verb, 'finish'] as const,
  ),
  ...['deliver', 'delivers', 'delivered'].map((verb) => [verb, 'deliver'] as const),
]);

export function isMarkerVerb(text: string): text is MarkerVerb {
  return markerVerbs.some((verb) => verb === text);
}

/** What the verb asks for, in any case; undefined for a word that is no verb of a marker. */
export function effectOf(verb: string): MarkerEffect | undefined {
  return effectOfVerb.get(verb.toLowerCase());
}

/** Every marker of a commit message in the order of the text, in all forms that protocol.md, Commit markers, lists. */
export function parseMarkers(message: string): readonly Marker[] {
  const markers: Marker[] = [];
  for (const match of message.matchAll(/\[([^[\]\r\n]*)\]/g)) {
    const marker = markerIn(match[1] ?? '', match.index);
    if (marker) markers.push(marker);
  }
  return markers;
}

const inBrackets = /^[\s,]*(?:([a-z]+)[\s,]*)?#\d{1,15}(?:[\s,]*#\d{1,15})*(?:[\s,]+([a-z]+))?[\s,]*$/i;

function markerIn(inside: string, start: number): Marker | undefined {
  const match = inBrackets.exec(inside);
  if (!match) return undefined;
  const [, before = '', after = ''] = match;
  const verb = before || after;
  const effect = effectOf(verb);
  if (!effect || (before && after)) return undefined;
  const ids = [...inside.matchAll(/#(\d+)/g)].map(({ 0: text, 1: digits, index }) => {
    const at = start + 1 + index;
    return { id: Number(digits), range: { start: at, end: at + text.length } };
  });
  return { range: { start, end: start + inside.length + 2 }, verb, effect, ids };
}

/** What a commit message asks of each story it names; of several effects on one story the strongest. */
export function storyEffects(message: string): ReadonlyMap<number, MarkerEffect> {
  const effects = new Map<number, MarkerEffect>();
  for (const { effect, ids } of parseMarkers(message)) {
    for (const { id } of ids) effects.set(id, stronger(effect, effects.get(id)));
  }
  return effects;
}

/** The same effects on the stories that have these ids now; of several on one the strongest. */
export function strongestEffects(
  effects: Iterable<readonly [number, MarkerEffect]>,
  idNow: (id: number) => number,
): ReadonlyMap<number, MarkerEffect> {
  const found = new Map<number, MarkerEffect>();
  for (const [id, effect] of effects) found.set(idNow(id), stronger(effect, found.get(idNow(id))));
  return found;
}

/** The message with other ids in its markers. */
export function withIdsNow(message: string, idNow: (id: number) => number): string {
  let [text, from] = ['', 0];
  for (const { id, range } of parseMarkers(message).flatMap(({ ids }) => ids)) {
    text += `${message.slice(from, range.start)}#${idNow(id)}`;
    from = range.end;
  }
  return text + message.slice(from);
}

function stronger(one: MarkerEffect, other: MarkerEffect = 'comment'): MarkerEffect {
  return markerEffects.indexOf(one) > markerEffects.indexOf(other) ? one : other;
}

/** The marker as we write it: `[fixes #12 #34]`, or `[#12]` without a verb. */
export function markerText(ids: readonly number[], verb: string): string {
  const hashes = [...new Set(ids)].map((id) => `#${id}`);
  return `[${(verb === '' ? hashes : [verb, ...hashes]).join(' ')}]`;
}
