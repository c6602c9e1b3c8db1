import assert from 'node:assert/strict';
import fc from 'fast-check';
import { activityElement, readActivity } from '../../../src/v3/activity.ts';
import { attachmentElement, readAttachment } from '../../../src/v3/attachment.ts';
import type { Element } from '../../../src/v3/element.ts';
import {
  membershipElement,
  newMembershipElement,
  readMembership,
  readNewMembership,
} from '../../../src/v3/membership.ts';
import { newProjectElement, readNewProject } from '../../../src/v3/newProject.ts';
import { noteElement, readNote } from '../../../src/v3/note.ts';
import { projectElement, readProject } from '../../../src/v3/project.ts';
import { readText } from '../../../src/v3/read.ts';
import { readSourceCommit, sourceCommitElement } from '../../../src/v3/sourceCommit.ts';
import { readStory, readStoryEdit, storyEditElement, storyElement } from '../../../src/v3/story.ts';
import { readTask, taskElement } from '../../../src/v3/task.ts';
import { writeDocument } from '../../../src/v3/write.ts';
import { aProject } from '../../support/builders/builders.ts';
import { iterationElement, readIteration } from '../../support/v3/lists.ts';
import * as any from './arbitraries.ts';

describe('writing XML', () => {
  const leaf = (text: string): Element => ({ name: 'a', attributes: {}, children: [], text });

  it('has a declaration, two spaces of indent and a final newline', () => {
    const root = { name: 'a', attributes: { type: 'array' }, children: [leaf('x'), leaf('')], text: '' };
    assert.equal(
      writeDocument(root),
      '<?xml version="1.0" encoding="UTF-8"?>\n<a type="array">\n  <a>x</a>\n  <a/>\n</a>\n',
    );
  });
  it('shows where characters were that XML cannot hold', () => {
    for (const text of ['\u0000', '\u001b', '\u000b', '\ufffe', '\uffff', '\ud800', '\udfff']) {
      assert.equal(readText(writeDocument(leaf(`a${text}b`))).text, 'a\ufffdb');
    }
  });
  it('refuses names that would open or close elements', () => {
    for (const name of ['', 'a b', 'a>', '<a', '1a', 'a/', '?xml', '#text', ':@', 'a\n']) {
      assert.throws(() => writeDocument({ ...leaf('x'), name }), { name: 'XmlError' }, name);
      assert.throws(() => writeDocument({ ...leaf('x'), attributes: { [name]: '1' } }), { name: 'XmlError' }, name);
    }
  });
  it('does not let a ticket choose the name of an element', () => {
    const xml = writeDocument(storyEditElement({ ticket: { prefix: 'x><evil', externalId: '1' } }));
    assert.match(xml, /<other_id>1<\/other_id>/);
    assert.match(writeDocument(storyEditElement({ ticket: { prefix: 'project', externalId: '1' } })), /<other_id>1</);
  });
  it('clears fields by empty elements', () => {
    const edit = { estimate: null, ownedBy: null, description: null, deadline: null, labels: [], ticket: null };
    const xml = writeDocument(storyEditElement(edit));
    for (const name of ['estimate', 'owned_by', 'description', 'deadline', 'labels', 'other_id'])
      assert.ok(xml.includes(`<${name}/>`), name);
    assert.deepEqual(readStoryEdit(readText(xml)), edit);
  });

  it('any element comes back as it was', () => {
    fc.assert(
      fc.property(any.element, (element) => {
        const read = readText(writeDocument(element));
        assert.deepEqual(plain(read), plain(element));
      }),
    );
  });

  const cases: readonly (readonly [
    string,
    fc.Arbitrary<unknown>,
    (value: never) => Element,
    (element: Element) => unknown,
  ])[] = [
    ['project', any.project, projectElement, readProject],
    ['new project', any.newProject, newProjectElement, readNewProject],
    ['membership', any.membership, membershipElement, readMembership],
    ['new membership', any.newMembership, newMembershipElement, readNewMembership],
    [
      'integration',
      any.integration,
      (integration) => projectElement(aProject({ integrations: [integration] })),
      (element) => readProject(element).integrations[0],
    ],
    ['iteration', any.iteration, iterationElement, readIteration],
    ['story', any.story, storyElement, readStory],
    ['edit of a story', any.storyEdit, storyEditElement, readStoryEdit],
    ['note', any.note, noteElement, readNote],
    ['task', any.task, taskElement, readTask],
    ['attachment', any.attachment, attachmentElement, readAttachment],
    ['activity', any.activity, activityElement, readActivity],
    ['source commit', any.sourceCommit, sourceCommitElement, readSourceCommit],
  ];
  for (const [name, arbitrary, encode, decode] of cases) {
    it(`any ${name} comes back as it was`, () => {
      fc.assert(
        fc.property(arbitrary, (value) => {
          assert.deepEqual(decode(readText(writeDocument(encode(value as never)))), value);
        }),
      );
    });
  }
});

/** Elements differ in whether their attributes have a prototype. */
function plain({ name, attributes, children, text }: Element): unknown {
  return { name, attributes: Object.entries(attributes), children: children.map(plain), text };
}
