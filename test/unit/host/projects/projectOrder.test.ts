import assert from 'node:assert/strict';
import type { ProjectEntry } from '../../../../src/host/projects/projectList.ts';
import { orderedProjects, type ProjectWishes, projectReference } from '../../../../src/host/projects/projectOrder.ts';
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

/** Expects the projects in this order, and the others after a bar. */
function assertOrder(wishes: Partial<ProjectWishes>, expected: string): void {
  it(`${JSON.stringify(wishes)} shows ${expected}`, () => {
    const { shown, others } = orderedProjects(entries, { hidden: [], pinned: [], workspace: [], ...wishes });
    const text = (some: readonly ProjectEntry[]) => some.map(({ project }) => project.name).join(' ');
    assert.equal(`${text(shown)} | ${text(others)}`, expected);
  });
}

describe('Projects as they are wanted', () => {
  assertOrder({}, 'Demo Apollo Harbour 12 | ');
  assertOrder({ hidden: ['1@builtIn'] }, 'Apollo Harbour 12 | Demo');
  assertOrder({ hidden: ['HARBOUR', '1@tracker.example.com'] }, 'Demo 12 | Apollo Harbour');
  assertOrder({ hidden: ['1'] }, 'Harbour 12 | Demo Apollo');
  assertOrder({ hidden: ['12'] }, 'Demo Apollo Harbour | 12');
  assertOrder({ hidden: ['99', '', '8@other.example.com'] }, 'Demo Apollo Harbour 12 | ');
  assertOrder({ pinned: ['12', 'harbour'] }, 'Harbour 12 Demo Apollo | ');
  assertOrder({ pinned: ['harbour'], hidden: ['harbour'] }, 'Demo Apollo 12 | Harbour');
  assertOrder({ workspace: ['apollo', '8@other.example.com:8080/base'] }, 'Apollo 12 | Demo Harbour');
  assertOrder({ workspace: ['apollo'], hidden: ['apollo'], pinned: ['demo'] }, 'Apollo | Demo Harbour 12');
  assertOrder({ workspace: ['a project of another team'], hidden: ['demo'] }, 'Apollo Harbour 12 | Demo');

  it('have references that name each of them alone', () => {
    for (const entry of entries) {
      const { others } = orderedProjects(entries, { hidden: [projectReference(entry)], pinned: [], workspace: [] });
      assert.deepEqual(others, [entry]);
    }
  });
});
