import assert from 'node:assert/strict';
import { protocolToolName } from '../../src/core/agents/agentToolNames.ts';
import type { InputSchema } from '../../src/core/agents/inputSchema.ts';
import { type ServiceToolName, serviceToolNames, serviceTools } from '../../src/service/agents/serviceTools.ts';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { Agent } from './support/agent.ts';
import { newBacklog, newProject } from './support/project.ts';
import { startTestService, type TestService } from './support/testService.ts';

type Field = InputSchema['properties'][string];

/** Borders of what databases keep whole numbers in. */
const BORDERS = [-1, 0, 2_147_483_647, 2_147_483_648, 4_294_967_297, 999_999_999_999_999];
const TEXTS = [
  '\0',
  '\ud800',
  '\u202e',
  '__proto__',
  ']]>',
  '%00',
  '🙂',
  '\u0301'.repeat(100),
  ' ',
  'e\u0301'.repeat(1e4),
];

describe('the tools of the service', () => {
  let service: TestService;
  const mistakes: ServiceEvent[] = [];
  let agent: Agent;
  let inputs: Readonly<Record<ServiceToolName, Readonly<Record<string, unknown>>>>;

  before(async () => {
    service = await startTestService({ log: (event) => void (event.event === 'error' && mistakes.push(event)) });
    const ada = await service.user('Ada Lovelace');
    const [storyId = 0, targetId = 0] = await newBacklog(ada, await newProject(ada), ['One', 'Two']);
    agent = await Agent.of(service, ada);
    inputs = {
      findStories: { filter: 'One' },
      getStory: { storyId },
      listProjects: {},
      getMarker: { storyIds: [storyId] },
      createStory: { name: 'Three' },
      editStory: { storyId, name: 'Four' },
      changeState: { storyId, state: 'unscheduled' },
      moveStory: { storyId, place: 'after', targetId },
      addComment: { storyId, text: 'Five' },
      linkCommit: { commitId: 'abcdef0', message: `[#${storyId}]` },
    };
  });
  after(() => service.stop());

  for (const name of serviceToolNames)
    it(`${protocolToolName(name)} does or refuses whatever fits each of its fields`, async () => {
      const { inputSchema }: { readonly inputSchema: InputSchema } = serviceTools[name];
      for (const [field, schema] of Object.entries(inputSchema.properties))
        for (const value of fitting(schema)) {
          const { text, isError } = await agent.call(protocolToolName(name), { ...inputs[name], [field]: value });
          if (isError) assert.match(text, /^[“A-Z].{5,400}\.$/su);
          else assert.equal(typeof JSON.parse(text), 'object');
        }
      assert.deepEqual(mistakes, []);
    });
});

function fitting(field: Field): readonly unknown[] {
  if (field.type === 'integer')
    return [field.minimum, field.maximum, ...BORDERS].filter((one) => one >= field.minimum && one <= field.maximum);
  if (field.type === 'array') return fitting(field.items).map((one) => Array(Math.max(1, field.minItems)).fill(one));
  if ('enum' in field) return field.enum;
  if (field.type === 'object') return [];
  return TEXTS.map((text) => text.slice(0, field.maxLength).padEnd(field.minLength ?? 0, '~'));
}
