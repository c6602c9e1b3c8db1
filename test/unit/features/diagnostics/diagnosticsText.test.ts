import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { TrackerError, type TrackerErrorKind } from '../../../../src/core/errors.ts';
import type { OutboxEntry } from '../../../../src/core/outbox/outbox.ts';
import {
  type DiagnosticFacts,
  diagnosticsText,
  issueAddress,
  issueText,
} from '../../../../src/features/diagnostics/diagnosticsText.ts';
import { problemText, withoutNames } from '../../../../src/features/diagnostics/problemText.ts';
import type { Account } from '../../../../src/host/accounts/account.ts';
import { RememberingLog } from '../../../../src/host/shell/rememberingLog.ts';
import { silentLog } from '../../../support/silentLog.ts';

const root = new URL('../../../../', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const declaredSettings: DiagnosticFacts['declaredSettings'] = manifest.contributes.configuration.properties;
const NOW = Date.parse('2026-03-02T09:30:00Z');

const builtIn: Account = { id: 'builtIn', label: 'Built-in service', kind: 'builtIn' };
const server: Account = { id: 'a1', label: 'Bakery', kind: 'server', baseUrl: 'https://tracker.example.test/sub' };

function entry(fields: Partial<OutboxEntry> = {}): OutboxEntry {
  return {
    id: 'e1',
    place: 1,
    project: { accountId: 'a1', address: 'https://tracker.example.test/sub', projectId: 7 },
    intent: { kind: 'comment', storyId: 37, text: 'Not for everyone' },
    state: 'waiting',
    addedAt: NOW,
    attempts: 1,
    ...fields,
  };
}

function facts(fields: Partial<DiagnosticFacts> = {}): DiagnosticFacts {
  return {
    now: NOW,
    versions: { extension: '0.1.0', vscode: '1.139.1', node: '22.21.1' },
    system: { platform: 'linux', arch: 'x64', release: '6.1.0-13-amd64' },
    language: 'de',
    isWeb: false,
    remoteName: undefined,
    isTrusted: true,
    rootSchemes: ['file'],
    git: { version: '1.0.0', isActive: true, repositories: 1 },
    accounts: [builtIn, server],
    projects: [],
    failures: [],
    unsent: [],
    declaredSettings,
    settings: {},
    problems: [],
    translations: {},
    ...fields,
  };
}

describe('Diagnostics', () => {
  function assertTold(fields: Partial<DiagnosticFacts>, ...lines: readonly string[]): void {
    const told = diagnosticsText(facts(fields)).split('\n');
    for (const line of lines) assert.ok(told.includes(line), `${line} in\n${told.join('\n')}`);
  }

  it('tell versions, where it runs and what it may do', () => {
    assertTold(
      {},
      '- Story Tracker 0.1.0',
      '- VS Code 1.139.1, desktop, language de',
      '- linux x64 6.1.0, Node 22.21.1',
      '- Remote: none',
      '- Trusted: yes, virtual: no',
      '- Folders: 1 (file)',
      '- Git extension: 1.0.0, active, repositories: 1',
    );
    assertTold(
      { rootSchemes: ['vscode-vfs', 'acme-files'] },
      '- Trusted: yes, virtual: yes',
      '- Folders: 2 (vscode-vfs, other)',
    );
    assertTold({ rootSchemes: [], isTrusted: false }, '- Trusted: no, virtual: no', '- Folders: 0');
    assertTold({ remoteName: 'wsl', isWeb: true }, '- Remote: wsl', '- VS Code 1.139.1, web, language de');
    assertTold({ git: { version: undefined, isActive: false, repositories: 0 } }, '- Git extension: none');
  });

  it('name a remote by its kind, not by its address', () => {
    assertTold({ remoteName: '10.1.2.3:8080' }, '- Remote: other');
  });

  it('tell accounts by their kind', () => {
    assertTold({}, '- 1: built-in service', '- 2: server (https)');
    assertTold({ accounts: [] }, '### Accounts', '- none');
  });

  it('tell of each project what this machine has of it and has not sent', () => {
    const copy = { stories: 153, readAt: NOW - 3 * 60_000 };
    const refused = entry({ state: 'failed', problem: { kind: 'input', message: 'Too long a name.' } });
    assertTold(
      {
        projects: [
          { account: builtIn, projectId: 1, copy },
          { account: server, projectId: 7 },
        ],
        unsent: [entry(), refused],
        failures: [{ account: server, error: new TrackerError('unreachable', 'No answer.') }],
      },
      '- account 1, 153 stories, read 3 min ago, 0 unsent',
      '- account 2, never read, 2 unsent, 1 refused, because input',
      '- account 2, last failure: unreachable',
    );
    const one = { account: builtIn, projectId: 1, copy: { ...copy, stories: 1 } };
    assertTold({ projects: [one] }, '- account 1, 1 story, read 3 min ago, 0 unsent');
    assertTold({ accounts: [builtIn], unsent: [entry()] }, '- signed out, 1 unsent');
  });

  it('tell the first fifty projects only', () => {
    const projects = Array.from({ length: 60 }, (_, at) => ({ account: server, projectId: at }));
    assertTold({ projects }, '- 10 more projects');
  });

  it('tell choices and numbers of settings, and of others only that they are set', () => {
    const settings = {
      'storyTracker.commit.verb': 'finishes',
      'storyTracker.commit.hints': false,
      'storyTracker.pollSeconds': 5,
      'storyTracker.branchTemplate': 'secret/story',
      'storyTracker.savedFilters': [{ name: 'Mine', filter: 'owner:Bob' }],
      'storyTracker.todoWords': ['TODO', 'FIXME', 'HACK'],
    };
    const text = diagnosticsText(facts({ settings }));
    const told = text.split('\n').filter((line) => line.startsWith('- storyTracker.'));
    assert.deepEqual(told.toSorted(), [
      '- storyTracker.branchTemplate: set',
      '- storyTracker.commit.hints: false',
      '- storyTracker.commit.verb: "finishes"',
      '- storyTracker.pollSeconds: 5',
      '- storyTracker.savedFilters: set',
    ]);
  });

  it('have nothing of what people and servers wrote in it, wherever that is', () => {
    const canaries = fc.stringMatching(/^[a-z0-9@/._:-]{0,12}QzQzQz[a-z0-9@/._: -]{0,12}$/);
    const kinds = fc.constantFrom<TrackerErrorKind>('input', 'unreachable', 'server');
    fc.assert(
      fc.property(canaries, kinds, fc.constantFrom(...Object.keys(declaredSettings)), (canary, kind, setting) => {
        const account: Account = {
          id: canary,
          label: canary,
          kind: 'server',
          baseUrl: `https://${canary}/`,
          person: { name: canary },
        };
        const error = new TrackerError(kind, `Could not send “${canary}”: ${canary}`, {
          request: `GET /${canary}/projects/1?token=${canary}`,
          cause: Object.assign(new Error(canary), { code: canary }),
        });
        const named = Object.assign(new Error(canary), { name: canary, code: canary });
        const log = new RememberingLog(silentLog);
        log.error(error);
        log.error(named);
        log.warn(`polling ${canary}: ${canary} ${canary}, (${canary}) "${canary}"`);
        const project = { accountId: canary, address: canary, projectId: 7 };
        const text = diagnosticsText({
          ...facts(),
          versions: { extension: canary, vscode: `1.2.3-${canary}`, node: canary },
          system: { platform: canary, arch: canary, release: `6.1.0-${canary}` },
          language: canary,
          remoteName: canary,
          rootSchemes: [canary],
          git: { version: canary, isActive: true, repositories: 1 },
          accounts: [account],
          projects: [{ account, projectId: 7 }],
          failures: [
            { account, error: named },
            { account, error },
          ],
          unsent: [
            entry({
              project,
              problem: { kind, message: canary },
              intent: { kind: 'comment', storyId: 1, text: canary },
            }),
          ],
          settings: { [setting]: canary, 'storyTracker.clientCertificates': { [canary]: { cert: canary } } },
          problems: log.problems,
        });
        assert.ok(!text.includes('QzQzQz'), text);
      }),
      { numRuns: 500 },
    );
  });
});

describe('A problem of the log', () => {
  const at = NOW;
  const german: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(new URL('l10n/bundle.l10n.de.json', root), 'utf8'),
  );

  it('is told with its kind, its request, the codes of the system and places in the program', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.3:443'), { code: 'ECONNREFUSED' });
    const error = new TrackerError('unreachable', 'Could not connect to Bakery', {
      request: 'PUT /bakery/services/v3/projects/1/stories/2',
      cause,
    });
    error.stack = `TrackerError: Could\n    at a (/home/ada/.vscode/extensions/x/dist/worker.js:12:345)\n    at /srv/part-commands-AB12.js:1:2\n`;
    assert.equal(
      problemText({ at, level: 'error', logged: error }, {}),
      [
        '2026-03-02T09:30:00.000Z · error · TrackerError · unreachable · PUT …/projects/1/stories/2 · ECONNREFUSED',
        'Could not connect to … · worker.js:12:345 < part-commands-AB12.js:1:2',
      ].join(' · '),
    );
  });

  it('is told with no place that its message names, and with its own behind however long a message', () => {
    const error = new Error(`Could not read part-Acme-Corp.js:3:4 ${'x'.repeat(10_000)}`);
    error.stack = `Error: ${error.message}\n    at /srv/dist/extension.js:1:2\n`;
    const told = problemText({ at, level: 'error', logged: error }, {});
    assert.ok(!told.includes('Acme') && told.endsWith('extension.js:1:2'), told);
  });

  it('is told by those of its words that are of no one', () => {
    const logged = 'polling project 12: The server answered 503, “Ada’s Bakery” (see https://bakery.example/x?token=1)';
    assert.equal(
      problemText({ at, level: 'warning', logged }, {}),
      '2026-03-02T09:30:00.000Z · warning · polling project … The server answered 503, … (see …',
    );
  });

  it('is told in English where it was logged in another language, without what was put into it', () => {
    const told = (logged: string, translations: Readonly<Record<string, string>>) =>
      problemText({ at, level: 'error', logged }, translations);
    const some = Object.entries(german).filter((_, index) => index % 10 === 0);
    const others = some.filter(([english, translated]) => {
      const logged = translated.replaceAll(/\{\d\}/g, 'Bäckerei Müller');
      const plain = english.replace(/\/[^/{}]+$/, '').replaceAll(/\{\d\}/g, '…');
      return told(logged, german) !== told(plain, {});
    });
    // Some sentences have one translation with others, or are about as good as one with more placeholders.
    const reason = others.map((texts) => texts.join('\n')).join('\n');
    assert.ok(others.length < some.length / 20, reason);
    assert.equal(
      told('active story: „Kuchen backen“ wurde gelöscht.', { '“{0}” was deleted.': '„{0}“ wurde gelöscht.' }),
      told('active story: “…” was deleted.', {}),
    );
  });

  it('keeps the words that our own log begins with', () => {
    const templates = globSync('src/**/*.ts', { cwd: root, exclude: ['src/service/**'] })
      .map((path) => readFileSync(new URL(path, root), 'utf8'))
      .flatMap((text) =>
        [...text.matchAll(/\blog\.(?:warn|error)\((['`])([^'`]+)\1/g)].map(([, , words = '']) => words),
      )
      .map((text) => text.replaceAll(/\$\{[^}]*\}/g, ''));
    assert.ok(templates.length > 20, `${templates.length}`);
    for (const text of templates) {
      const words = text.split(/[\s:]+/).filter((word) => /\w/.test(word));
      assert.deepEqual(
        words.filter((word) => withoutNames(word) === '…'),
        [],
        text,
      );
    }
  });

  it('is short, however long it is and whatever it is made of', () => {
    for (const text of ['('.repeat(1e6), `${'a '.repeat(1e6)}`, `${'.'.repeat(1e6)}x`]) {
      assert.ok(problemText({ at, level: 'error', logged: new Error(text) }, german).length < 2000);
    }
  });
});

describe('The log', () => {
  it('remembers its latest fifty warnings and errors, and passes on all', () => {
    const passed: string[] = [];
    const pass = (level: string) => (text: string | Error) => void passed.push(`${level} ${String(text)}`);
    const log = new RememberingLog({
      debug: pass('debug'),
      info: pass('info'),
      warn: pass('warn'),
      error: pass('error'),
    });
    log.debug('one');
    log.info('two');
    for (let number = 0; number < 60; number += 1) log.warn(`${number}`);
    log.error(new Error('three'));
    assert.equal(passed.length, 63);
    assert.deepEqual([passed[0], passed[1], passed.at(-1)], ['debug one', 'info two', 'error Error: three']);
    assert.equal(log.problems.length, 50);
    assert.deepEqual(
      log.problems.map(({ level }) => level).filter((level) => level === 'error'),
      ['error'],
    );
    assert.equal(log.problems[0]?.logged, '11');
  });
});

describe('A report', () => {
  it('has room for what a person tells, and the diagnostics below', () => {
    const text = issueText({ done: 'What I did', expected: 'What I expected' }, 'told');
    assert.match(text, /^### What I did\n\n1\. \n\n### What I expected\n\n+told$/);
  });

  it('goes where the package says, to the web only', () => {
    assert.equal(issueAddress({ bugs: { url: 'https://example.test/issues' } }), 'https://example.test/issues');
    assert.equal(issueAddress({ bugs: 'https://example.test/issues' }), 'https://example.test/issues');
    for (const bugs of [undefined, null, {}, { email: 'ada@example.test' }, 'http://example.test', 'command:x', 1])
      assert.equal(issueAddress({ bugs }), undefined);
  });
});
