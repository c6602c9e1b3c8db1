import { TrackerError } from '../errors.ts';
import { visibleLine } from '../text.ts';

/** The part of JSON Schema in which the input of tools is described. Everything has a bound. */
interface TextSchema {
  readonly type: 'string';
  readonly minLength?: number;
  readonly maxLength: number;
  readonly description?: string;
}

interface ChoiceSchema {
  readonly type: 'string';
  readonly enum: readonly string[];
  readonly description?: string;
}

interface IntegerSchema {
  readonly type: 'integer';
  readonly minimum: number;
  readonly maximum: number;
  readonly description?: string;
}

interface ListSchema {
  readonly type: 'array';
  readonly items: FieldSchema;
  readonly minItems: number;
  readonly maxItems: number;
  readonly description?: string;
}

export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
  readonly description?: string;
}

type FieldSchema = TextSchema | ChoiceSchema | IntegerSchema | ListSchema | InputSchema;

type ValueOf<F> = F extends { readonly enum: readonly (infer E)[] }
  ? E
  : F extends TextSchema
    ? string
    : F extends IntegerSchema
      ? number
      : F extends { readonly type: 'array'; readonly items: infer I }
        ? readonly ValueOf<I>[]
        : F extends InputSchema
          ? InputOf<F>
          : never;

/** What fits a schema. */
export type InputOf<S extends InputSchema> = {
  readonly [K in keyof S['properties'] & S['required'][number]]: ValueOf<S['properties'][K]>;
} & {
  readonly [K in Exclude<keyof S['properties'], S['required'][number]>]?: ValueOf<S['properties'][K]>;
};

/**
 * The input of a tool, once it is known to fit. Models make up fields and forget others, and not every client checks.
 * @throws TrackerError `input`, with a sentence by which a model can correct itself.
 */
export function fittingInput<const S extends InputSchema>(schema: S, input: unknown): InputOf<S> {
  if (fits(schema, input)) return input;
  throw new TrackerError('input', problemOf(schema, input ?? {}, '') ?? 'The input does not fit its schema.');
}

function fits<S extends InputSchema>(schema: S, input: unknown): input is InputOf<S> {
  return problemOf(schema, input, '') === undefined;
}

/** The first thing wrong with a value; `path` is where it is, as `commits[2]`. */
function problemOf(schema: FieldSchema, value: unknown, path: string): string | undefined {
  if (schema.type === 'object') return problemOfObject(schema, value, path);
  if (schema.type === 'array') return problemOfList(schema, value, path);
  if (schema.type === 'integer') {
    const { minimum, maximum } = schema;
    const isFitting = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    return isFitting ? undefined : `“${path}” must be a whole number from ${minimum} to ${maximum}.`;
  }
  if ('enum' in schema) {
    const isKnown = schema.enum.some((known) => known === value);
    return isKnown ? undefined : `“${path}” must be one of ${schema.enum.map((one) => `"${one}"`).join(', ')}.`;
  }
  const { minLength = 0, maxLength } = schema;
  if (typeof value !== 'string') return `“${path}” must be a text.`;
  if (value.length > maxLength) return `“${path}” can have at most ${maxLength} characters; it has ${value.length}.`;
  if (value.length < minLength) return `“${path}” must have at least ${minLength} characters.`;
  return minLength > 0 && value.trim() === '' ? `“${path}” must not be blank.` : undefined;
}

function problemOfList({ items, minItems, maxItems }: ListSchema, value: unknown, path: string): string | undefined {
  if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) {
    return `“${path}” must be a list of ${minItems} to ${maxItems} values.`;
  }
  for (const [index, item] of value.entries()) {
    const problem = problemOf(items, item, `${path}[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfObject({ properties, required }: InputSchema, value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `${path === '' ? 'The input' : `“${path}”`} must be an object.`;
  }
  const fields = new Map<string, unknown>(Object.entries(value));
  const nameOf = (field: string) => (path === '' ? field : `${path}.${field}`);
  const known = Object.keys(properties);
  for (const field of fields.keys()) {
    if (!known.includes(field)) {
      const takes = known.length > 0 ? `Use ${known.join(', ')}.` : 'Pass no fields.';
      return `There is no field “${visibleLine(nameOf(field), 80)}”. ${takes}`;
    }
  }
  const missing = required.find((field) => fields.get(field) === undefined);
  if (missing !== undefined) return `“${nameOf(missing)}” is missing.`;
  for (const [field, schema] of Object.entries(properties)) {
    if (fields.get(field) === undefined) continue;
    const problem = problemOf(schema, fields.get(field), nameOf(field));
    if (problem !== undefined) return problem;
  }
  return undefined;
}
