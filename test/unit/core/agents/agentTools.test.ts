import assert from 'node:assert/strict';
import {
  type AgentToolName,
  agentToolNames,
  editorToolName,
  protocolToolName,
} from '../../../../src/core/agents/agentToolNames.ts';
import { agentTools } from '../../../../src/core/agents/agentTools.ts';
import { fittingInput, type InputSchema } from '../../../../src/core/agents/inputSchema.ts';
import { parseFilter } from '../../../../src/core/filter/filter.ts';
import { filterKeys } from '../../../../src/core/filter/filterKeys.ts';

describe('the tools for agents', () => {
  it('have names that VS Code and the Model Context Protocol take', () => {
    assert.deepEqual(agentToolNames.slice(0, 2).map(editorToolName), [
      'storyTracker_findStories',
      'storyTracker_getStory',
    ]);
    assert.deepEqual(agentToolNames.slice(0, 3).map(protocolToolName), [
      'find_stories',
      'get_story',
      'get_active_story',
    ]);
    for (const name of agentToolNames) assert.match(protocolToolName(name), /^[a-z_]{1,64}$/);
  });

  it('bound every text, number and list, and take no other fields', () => {
    for (const name of agentToolNames) assert.deepEqual(unbounded(agentTools[name].inputSchema, name), []);
  });

  it('take the server wherever they take a story or a project', () => {
    for (const name of agentToolNames) {
      const fields = Object.keys(agentTools[name].inputSchema.properties);
      const isOfOne = ['storyId', 'storyIds', 'projectId'].some((field) => fields.includes(field));
      assert.equal(fields.includes('server'), isOfOne, name);
    }
  });

  it('tell of every key of a filter', () => {
    const told = agentTools.findStories.inputSchema.properties.filter.description;
    // The protocol has two words for it.
    for (const key of [...filterKeys.keys(), 'project', 'sort', 'includedone'])
      if (key !== 'estimate') assert.ok(told.includes(key), key);
    for (const example of told.match(/-?[a-z_]+:(?:"[^"]*"|[\w,]+)/g) ?? []) {
      if (example !== 'key:value') parseFilter(example);
    }
  });
});

describe('the input of a tool', () => {
  assertFits('findStories', { filter: 'owner:me', limit: 50 });
  assertFits('getActiveStory', {});
  assertFits('insertMarker', { storyIds: [1, 2], verb: '' });
  assertFits('createStory', { name: 'A', labels: ['b'], projectId: undefined });

  assertRefused('getStory', undefined, '“storyId” is missing.');
  assertRefused('getStory', [], 'The input must be an object.');
  assertRefused('getStory', { storyId: '12' }, '“storyId” must be a whole number from 1 to 999999999999999.');
  assertRefused('getStory', { storyId: 1.5 }, '“storyId” must be a whole number from 1 to 999999999999999.');
  assertRefused('getStory', { id: 12 }, 'There is no field “id”. Use storyId, projectId, server.');
  assertRefused('getActiveStory', { a: 1 }, 'There is no field “a”. Pass no fields.');
  assertRefused(
    'getStory',
    JSON.parse('{"__proto__":{"storyId":1}}'),
    'There is no field “__proto__”. Use storyId, projectId, server.',
  );
  assertRefused(
    'findStories',
    { filter: 'x'.repeat(1_001) },
    '“filter” can have at most 1000 characters; it has 1001.',
  );
  assertRefused('addComment', { storyId: 1, text: '' }, '“text” must have at least 1 characters.');
  assertRefused('insertMarker', { storyIds: [] }, '“storyIds” must be a list of 1 to 10 values.');
  assertRefused(
    'insertMarker',
    { storyIds: [1, 0] },
    '“storyIds[1]” must be a whole number from 1 to 999999999999999.',
  );
  assertRefused('moveStory', { storyId: 1, targetId: 2, place: 'up' }, '“place” must be one of "before", "after".');
});

describe('whatever a model passes', () => {
  it('is refused in a sentence where it does not fit, in every field of every tool', () => {
    for (const name of agentToolNames) {
      const { inputSchema }: { readonly inputSchema: InputSchema } = agentTools[name];
      for (const [field, schema] of Object.entries(inputSchema.properties))
        for (const value of unfitting(schema)) {
          const refusal = { kind: 'input', message: /^[“A-Z].{10,280}\.$/u };
          assert.throws(() => fittingInput(inputSchema, { [field]: value }), refusal, `${name}.${field}`);
        }
    }
  });
});

function unfitting(field: InputSchema['properties'][string]): readonly unknown[] {
  const always = [null, true, {}, { length: 1 }, JSON.parse('{"__proto__":{"a":1}}'), [null], [[]], () => 1, 1n];
  if (field.type === 'integer') return [...always, '1', Number.NaN, 0.5, field.minimum - 1, field.maximum + 1];
  if (field.type === 'array') {
    const inside = unfitting(field.items).map((one) => [one]);
    return [...always, 'a', Array(field.minItems), Array(field.maxItems + 1).fill(1), ...inside];
  }
  if ('enum' in field) return [...always, 'toString', '__proto__', 1];
  if (field.type === 'object') return always;
  return [...always, 1, Symbol.iterator, 'a'.repeat(field.maxLength + 1), ...(field.minLength ? [''] : [])];
}

/** What of a schema has no bound, by its path. */
function unbounded(schema: object, path: string): readonly string[] {
  const {
    type,
    enum: choices,
    maxLength,
    minimum,
    maximum,
    maxItems,
    items,
    properties,
    additionalProperties,
  } = {
    type: '',
    enum: undefined,
    maxLength: undefined,
    minimum: undefined,
    maximum: undefined,
    maxItems: undefined,
    items: undefined,
    properties: {},
    additionalProperties: undefined,
    ...schema,
  };
  if (type === 'string') return (choices ?? maxLength) ? [] : [path];
  if (type === 'integer') return minimum === undefined || maximum === undefined ? [path] : [];
  if (type === 'array') return [...(maxItems ? [] : [path]), ...unbounded(items ?? {}, `${path}[]`)];
  if (type !== 'object') return [path];
  const inside = Object.entries<object>(properties).flatMap(([name, each]) => unbounded(each, `${path}.${name}`));
  return additionalProperties === false ? inside : [path, ...inside];
}

function assertFits(name: AgentToolName, input: object): void {
  it(`${name} takes ${JSON.stringify(input)}`, () => {
    assert.equal(fittingInput(agentTools[name].inputSchema, input), input);
  });
}

function assertRefused(name: AgentToolName, input: unknown, sentence: string): void {
  it(`${name}: ${sentence}`, () => {
    assert.throws(() => fittingInput(agentTools[name].inputSchema, input), { kind: 'input', message: sentence });
  });
}
