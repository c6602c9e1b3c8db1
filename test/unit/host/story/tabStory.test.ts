import assert from 'node:assert/strict';
import { awaitTab, forgetTab, noticeTab, storyOfTab } from '../../../../src/host/story/tabStory.ts';
import { GroupNode, NamedStory, StoryNode } from '../../../../src/host/tree/nodes.ts';
import { aStory } from '../../../support/builders/builders.ts';

const key = { accountId: 'a', projectId: 7 };
const group = new GroupNode(key, 'label', 'paint', []);
const row = (id: number) => new StoryNode(key, aStory({ id }), group);

describe('The story of the active editor', () => {
  const [tab, other] = [{}, {}];
  const [one, another] = [row(1), row(2)];
  const name = (id: number) => new NamedStory(key, id);
  const meant = (...selected: readonly StoryNode[]) => storyOfTab(selected)?.storyId;

  afterEach(() => {
    forgetTab(tab);
    forgetTab(other);
  });

  it('is meant until another row is selected', () => {
    assert.equal(meant(), undefined);
    noticeTab(tab, name(1), [one]);
    assert.equal(meant(one), 1);
    assert.equal(meant(another), undefined);
    assert.equal(meant(one, another), undefined);
  });

  it('is meant where a row had been selected before, or none is', () => {
    noticeTab(tab, name(1), [another]);
    assert.equal(meant(another), 1);
    assert.equal(meant(), 1);
    noticeTab(tab, name(1), [one]);
    assert.equal(meant(one), undefined, 'it was active all the time');
    noticeTab(tab, name(2), [one]);
    assert.equal(meant(one), 2);
  });

  it('is meant no more once rows are selected between the click and the tab that it opens', () => {
    awaitTab(tab, [one]);
    noticeTab(tab, name(1), [one, another]);
    assert.equal(meant(one, another), undefined);
    assert.equal(meant(one), 1);
    noticeTab(other, name(2), [another]);
    assert.equal(meant(another), 2, 'that tab was come to in its own way');
  });

  it('is forgotten with its tab, and not with one that was active before', () => {
    noticeTab(tab, name(1), []);
    noticeTab(other, name(2), []);
    forgetTab(tab);
    assert.equal(meant(), 2);
    forgetTab(other);
    assert.equal(meant(), undefined);
  });
});
