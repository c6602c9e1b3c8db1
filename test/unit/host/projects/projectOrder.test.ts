import assert from 'node:assert/strict';
import type { ProjectEntry } from '../../../../src/host/projects/projectList.ts';
import {
  orderedProjects,
  type ProjectWishes,
  projectReference,
  silencedProjects,
} from '../../../../src/host/projects/projectOrder.ts';
import { aProject } from '../../../support/builders/builders.ts';

const at = (id: number, name: string, baseUrl?: string): ProjectEntry => {
  const accountId = baseUrl ?? 'builtIn';
  const account = {
    id: accountId,
    label: accountId,
    kind: 'server' as const,
    ...(baseUrl !== undefined && { baseUrl }),
  };
  return { account, key: { accountId, projectId: id }, project: aProject({ id, name }) };
};

const entries = [
  at(1, 'Demo'),
  at(1, 'Apollo', 'https://tracker.example.com/'),
  at(7, 'Harbour', 'https://tracker.example.com/'),
  at(8, '12', 'https://other.example.com:8080/base/'),
];

const none: ProjectWishes = { hidden: [], hiddenHere: [], pinned: [], workspace: [] };
const namesOf = (some: readonly ProjectEntry[]) => some.map(({ project }) => project.name).join(' ');

/** Expects the projects in this order, those of which a row tells that they are hidden after a bar, and all others after another. */
function assertOrder(wishes: Partial<ProjectWishes>, expected: string): void {
  it(`${JSON.stringify(wishes)} shows ${expected}`, () => {
    const { shown, hidden, others } = orderedProjects(entries, { ...none, ...wishes });
    assert.equal([shown, hidden, others].map(namesOf).join(' | '), expected);
  });
}

describe('Projects as they are wanted', () => {
  assertOrder({}, 'Demo Apollo Harbour 12 |  | ');
  assertOrder({ hidden: ['1@builtIn'] }, 'Apollo Harbour 12 | Demo | Demo');
  assertOrder({ hidden: ['HARBOUR', '1@tracker.example.com'] }, 'Demo 12 | Apollo Harbour | Apollo Harbour');
  assertOrder({ hidden: ['1'] }, 'Harbour 12 | Demo Apollo | Demo Apollo');
  assertOrder({ hidden: ['12'] }, 'Demo Apollo Harbour | 12 | 12');
  assertOrder({ hidden: ['99', '', '8@other.example.com'] }, 'Demo Apollo Harbour 12 |  | ');
  assertOrder({ pinned: ['12', 'harbour'] }, 'Harbour 12 Demo Apollo |  | ');
  assertOrder({ pinned: ['harbour'], hidden: ['harbour'] }, 'Demo Apollo 12 | Harbour | Harbour');

  const two = ['apollo', '8@other.example.com:8080/base'];
  assertOrder({ workspace: two }, 'Apollo 12 |  | Demo Harbour');
  assertOrder({ workspace: two, hidden: ['apollo', 'demo'] }, 'Apollo 12 |  | Demo Harbour');
  assertOrder({ workspace: two, hidden: ['apollo'], hiddenHere: ['apollo'] }, '12 | Apollo | Demo Apollo Harbour');
  assertOrder({ workspace: two, hidden: ['12', 'demo'], hiddenHere: ['12', 'demo'] }, 'Apollo | 12 | Demo Harbour 12');
  assertOrder({ workspace: ['apollo'], hiddenHere: ['apollo'] }, ' | Apollo | Demo Apollo Harbour 12');
  assertOrder({ workspace: ['apollo'], pinned: ['demo'] }, 'Apollo |  | Demo Harbour 12');
  assertOrder({ workspace: ['a project of another team'], hidden: ['demo'] }, 'Apollo Harbour 12 | Demo | Demo');

  it('have references that name each of them alone', () => {
    for (const entry of entries) {
      const { others } = orderedProjects(entries, { ...none, hidden: [projectReference(entry)] });
      assert.deepEqual(others, [entry]);
    }
  });

  it('are silent when they are hidden, not because the workspace is about others', () => {
    const silenced = (wishes: Partial<ProjectWishes>) => namesOf(silencedProjects(entries, { ...none, ...wishes }));
    assert.equal(silenced({}), '');
    assert.equal(silenced({ hidden: ['demo', '12'] }), 'Demo 12');
    assert.equal(silenced({ workspace: ['apollo'] }), '');
    assert.equal(silenced({ workspace: ['apollo'], hidden: ['demo', 'apollo'] }), 'Demo');
    assert.equal(silenced({ workspace: ['apollo'], hidden: ['apollo'], hiddenHere: ['apollo'] }), 'Apollo');
  });
});
