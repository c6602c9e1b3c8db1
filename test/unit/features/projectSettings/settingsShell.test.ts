import assert from 'node:assert/strict';
import { settingFields } from '../../../../src/features/projectSettings/settingsFields.ts';
import { fromPage, pageState } from '../../../../src/features/projectSettings/settingsMessages.ts';
import { settingsShell } from '../../../../src/features/projectSettings/settingsShell.ts';
import { settingsPanelTexts } from '../../../../src/features/projectSettings/settingsTexts.ts';
import { l10n } from '../../../support/texts/untranslated.ts';

const texts = settingsPanelTexts({ l10n });

describe('the page of project settings', () => {
  const page = settingsShell(
    {
      ...{ script: 'const a = "</script><!--";', style: 'p {}', nonce: 'N', language: 'en' },
      project: { accountId: '"><img src=x>', projectId: 7 },
    },
    texts,
  );

  it('runs its own script only, and loads nothing', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    assert.equal(
      policy,
      "default-src 'none'; script-src 'nonce-N'; style-src 'nonce-N'; base-uri 'none'; form-action 'none'",
    );
    assert.equal(page.match(/<script/g)?.length, 1);
    assert.doesNotMatch(page, /<img|<script(?! nonce="N")|<style(?! nonce="N")|\son\w+=|\sstyle=/);
  });

  it('has a control for each field, with its label and a place for what is wrong with it', () => {
    for (const field of settingFields) {
      assert.match(page, new RegExp(`id="field-${field}"`), field);
      assert.match(page, new RegExp(`id="problem-${field}"`), field);
    }
  });

  it('is told apart from what someone else sends in its name', () => {
    assert.deepEqual(fromPage({ type: 'save', section: 'general', texts: { name: 'A', x: 'y', useHttps: 1 } }), {
      ...{ type: 'save', section: 'general', texts: { name: 'A' }, known: {} },
    });
    assert.deepEqual(fromPage({ type: 'run', command: 'backUp', x: 1 }), { type: 'run', command: 'backUp' });
    for (const wrong of [
      null,
      'ready',
      { type: 'save', section: 'members' },
      { type: 'setRole', id: '5', role: 'Owner' },
      { type: 'removeMember', id: -1 },
      { type: 'retire', id: 3 },
      { type: 'addMember', email: 'x'.repeat(30_000), role: 'Owner' },
      { type: 'command', command: 'workbench.action.quit' },
      { type: 'run', command: 'workbench.action.quit' },
      { type: 'run', command: 'deleteStory' },
      { type: 'giveName', id: 5 },
    ]) {
      assert.equal(fromPage(wrong), undefined, JSON.stringify(wrong));
    }
    assert.deepEqual(pageState({ project: { accountId: 'a', projectId: 7, x: 1 } }), { accountId: 'a', projectId: 7 });
    assert.equal(pageState({ project: { accountId: 'a', projectId: '7' } }), undefined);
  });
});
