import assert from 'node:assert/strict';
import type { StoryEdit } from '../../../src/core/story/story.ts';
import { errorSentences } from '../../../src/v3/errorList.ts';
import { readFormBody } from '../../../src/v3/formBody.ts';
import { readNewMembership } from '../../../src/v3/membership.ts';
import { moveParameters, readMove } from '../../../src/v3/move.ts';
import { readNewProject } from '../../../src/v3/newProject.ts';
import { readNewNote } from '../../../src/v3/note.ts';
import { readProject } from '../../../src/v3/project.ts';
import { readText } from '../../../src/v3/read.ts';
import { readSourceCommit } from '../../../src/v3/sourceCommit.ts';
import { readStory, readStoryEdit } from '../../../src/v3/story.ts';
import { readTask, readTaskEdit } from '../../../src/v3/task.ts';
import { readToken } from '../../../src/v3/token.ts';

describe('requests and fields', () => {
  function assertEdit(xml: string, expected: StoryEdit): void {
    assert.deepEqual(readStoryEdit(readText(`<story>${xml}</story>`)), expected);
  }

  it('an edit holds what the body names, and null for what it clears', () => {
    assertEdit('', {});
    assertEdit('<name >caf&eacute;</name>', { name: 'café' });
    assertEdit('<name/>', { name: '' });
    assertEdit('<estimate/>', { estimate: null });
    assertEdit('<estimate type="Integer"> 3 </estimate>', { estimate: 3 });
    assertEdit('<estimate>-1</estimate>', { estimate: -1 });
    assertEdit('<owned_by/><description></description><deadline/>', {
      ownedBy: null,
      description: null,
      deadline: null,
    });
    assertEdit('<labels/>', { labels: [] });
    assertEdit('<labels>a, b,,c</labels>', { labels: ['a', 'b', 'c'] });
    assertEdit('<current_state>started</current_state><story_type>bug</story_type>', { state: 'started', type: 'bug' });
    assertEdit('<requested_by/><id>4</id><unknown/>', {});
    assertEdit('<deadline>2010-05-19T12:00:00Z</deadline>', {
      deadline: { text: '2010-05-19T12:00:00Z', time: Date.UTC(2010, 4, 19, 12) },
    });
  });
  it('a ticket comes in every form that clients write', () => {
    assertEdit('<jira_id>7</jira_id>', { ticket: { prefix: 'jira', externalId: '7' } });
    assertEdit('<other_id>7</other_id><integration_id type="integer">3</integration_id>', {
      ticket: { prefix: 'other', externalId: '7', integrationId: 3 },
    });
    assertEdit('<other_id/>', { ticket: null });
    assertEdit('<other_id/><integration_id/>', { ticket: null });
    assertEdit('<integration_id>3</integration_id>', { ticket: { externalId: '', integrationId: 3 } });
    assertEdit('<other_id></other_id><integration_id>3</integration_id>', {
      ticket: { prefix: 'other', externalId: '', integrationId: 3 },
    });
    assertEdit('<project_id>3</project_id><requested_by_id>4</requested_by_id>', {});
  });
  it('of several ticket ids the one with an address is shown', () => {
    const story = readStory(
      readText('<story><id>1</id><iteration_id>5</iteration_id><a_id>1</a_id><b_id>2</b_id><b_url>u</b_url></story>'),
    );
    assert.deepEqual(story.ticket, { prefix: 'b', externalId: '2', url: 'u' });
  });
  it('the other bodies', () => {
    assert.deepEqual(
      readNewProject(
        readText(
          '<project><name>x</name><no_owner type="boolean">true</no_owner><point_scale>0,1,2</point_scale></project>',
        ),
      ),
      { name: 'x', noOwner: true, pointScale: [0, 1, 2] },
    );
    assert.deepEqual(readNewProject(readText('<project/>')), { name: '' });
    assert.deepEqual(
      readNewMembership(readText('<membership><role>Member</role><person><email> a@b </email></person></membership>')),
      { role: 'Member', person: { email: 'a@b' } },
    );
    assert.deepEqual(readNewNote(readText('<note><text> x </text></note>')), { text: ' x ' });
    assert.deepEqual(readNewNote(readText('<note/>')), { text: undefined });
    assert.deepEqual(readTaskEdit(readText('<task><complete>true</complete></task>')), { complete: true });
    assert.deepEqual(readSourceCommit(readText('<source_commit/>')), { commitId: '', message: '', author: '' });
  });

  it('a value that is not what its element holds is named', () => {
    const story = (xml: string) => () => readStory(readText(`<story><id>1</id>${xml}</story>`));
    for (const text of ['three', '1.5', '0x10', '1e3', '9007199254740993', '--1', '1 2', 'NaN', 'Infinity']) {
      assert.throws(story(`<estimate>${text}</estimate>`), {
        name: 'XmlError',
        message: `The element "estimate" should hold a whole number, and holds "${text}".`,
      });
    }
    assert.throws(() => readTask(readText('<task><id>1</id><complete>maybe</complete></task>')), {
      name: 'XmlError',
      message: /"complete" should hold true or false/,
    });
    assert.throws(
      () => readProject(readText('<project><id>1</id><current_velocity>fast</current_velocity></project>')),
      { name: 'XmlError', message: /"current_velocity" should hold a number/ },
    );
    assert.throws(() => readStory(readText('<story/>')), {
      name: 'XmlError',
      message: 'The element "story" has no "id".',
    });
    assert.throws(() => readToken(readText('<token/>')), { name: 'XmlError' });
    assert.throws(story(`<estimate>${'9'.repeat(500)}</estimate>`), (error: Error) => error.message.length < 150);
  });
  it('numbers and booleans may be spelled in other ways', () => {
    const project = readProject(
      readText(
        '<project><id> 12 </id><public>TRUE</public><commit_mode>0</commit_mode><current_velocity>7.5</current_velocity><use_https/></project>',
      ),
    );
    assert.deepEqual(
      [project.id, project.public, project.commitMode, project.currentVelocity, project.useHttps],
      [12, true, false, 7.5, undefined],
    );
  });

  it('errors are found in their three shapes', () => {
    assert.deepEqual(errorSentences('<errors><error>One.</error><error> Two. </error><error/></errors>'), [
      'One.',
      'Two.',
    ]);
    assert.deepEqual(errorSentences('<message>Not  here.</message>'), ['Not  here.']);
    for (const body of [
      '',
      'Access denied.',
      '<html><body/></html>',
      '<errors><error>',
      '{"error": 1}',
      '<!DOCTYPE html><message>x</message>',
    ]) {
      assert.deepEqual(errorSentences(body), [], body);
    }
    assert.deepEqual(errorSentences(Buffer.from('<errors><error>é</error></errors>')), ['é']);
  });

  it('a move', () => {
    assert.equal(
      moveParameters({ place: 'before', targetId: 7 }).toString(),
      'move%5Bmove%5D=before&move%5Btarget%5D=7',
    );
    assert.deepEqual(readMove(new URLSearchParams('move[move]=after&move[target]=7')), { place: 'after', targetId: 7 });
    for (const query of [
      '',
      'move[move]=up&move[target]=7',
      'move[move]=after',
      'move[move]=after&move[target]=x',
      'move[move]=after&move[target]=-1',
    ]) {
      assert.throws(() => readMove(new URLSearchParams(query)), { name: 'XmlError', message: /must be/ });
    }
  });

  describe('parameters instead of XML', () => {
    const form = (query: string, root: string) => readFormBody(new URLSearchParams(query), root);
    it('make the same element', () => {
      const story = form('token=x&story[name]=a+%3C+b&story[estimate]=3&story[owned_by]=', 'story');
      assert.ok(story);
      assert.deepEqual(readStoryEdit(story), { name: 'a < b', estimate: 3, ownedBy: null });
      const membership = form(
        'membership[role]=Member&membership[person][email]=a@b&membership[person][name]=A',
        'membership',
      );
      assert.ok(membership);
      assert.deepEqual(readNewMembership(membership), { role: 'Member', person: { email: 'a@b', name: 'A' } });
    });
    it('join the items of a list', () => {
      const story = form('story[name]=a&story[name]=b&story[labels][]=x&story[labels][]=&story[labels][]=y', 'story');
      assert.ok(story);
      assert.deepEqual(readStoryEdit(story), { name: 'b', labels: ['x', 'y'] });
      const none = form('story[labels][]=', 'story');
      assert.ok(none);
      assert.deepEqual(readStoryEdit(none), { labels: [] });
    });

    it('are nothing when none of them is meant', () => {
      for (const query of ['', 'story=1', 'note[text]=x', 'story', 'filter=story[name]'])
        assert.equal(form(query, 'story'), undefined);
    });
    it('cannot nest without end or reach a prototype', () => {
      assert.throws(() => form(`story${'[a]'.repeat(50)}=1`, 'story'), { name: 'XmlError' });
      form('story[__proto__][polluted]=1&story[constructor][prototype][polluted]=1', 'story');
      assert.equal('polluted' in {}, false);
    });
  });
});
