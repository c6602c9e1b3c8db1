import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { runningService } from '../support/servers/runningService.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

/** Names of an iteration's stories among the rows' spoken names. */
function storiesIn(iteration: number, rows: readonly string[]): readonly string[] {
  const spoken = new RegExp(
    `^[\\w ]+, [\\w ]+, (.+?)(?:, (?:\\d+ points?|unestimated))?, \\d+ of \\d+ in iteration ${iteration}$`,
  );
  return rows.flatMap((row) => spoken.exec(row)?.[1] ?? []);
}

/** Names of an iteration's stories in a server's answer. */
function storiesAnswered(iteration: number, xml: string): readonly string[] {
  const found =
    xml.split('<iteration>').find((one) => one.includes(`<number type="integer">${iteration}</number>`)) ?? '';
  const stories = found.split(/<story>/).slice(1);
  return stories.map(
    (story) => /<name>([^<]*)<\/name>/.exec(story.replace(/<(notes|tasks|attachments)[\s\S]*/, ''))?.[1] ?? '',
  );
}

describe('Putting stories in order in a real window', () => {
  let folder: string;
  let code: VsCode;
  let pane: StoriesPane;
  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `reorder-${name}.png`) });

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
  });
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  describe('with the built-in service', () => {
    const ITERATION = 6;
    let order: readonly string[];
    const shown = async () => storiesIn(ITERATION, await pane.names());
    const assertShown = (expected: readonly string[]) =>
      eventually(async () => assert.deepEqual(await shown(), expected));
    const rowOf = (name: string) => code.page.locator('.sidebar .monaco-list-row', { hasText: name }).first();
    /** Alone; a row that was dragged or moved is selected a moment later. */
    const assertSelected = (name: string, timeout?: number) =>
      eventually(async () => {
        const names = await pane.selectedNames();
        assert.ok(names.length === 1 && names[0]?.includes(name), names.join());
      }, timeout);
    /** Clicks a row, which a row that comes above it just now may take in its place, and waits until the window knows. */
    const pick = (name: string) =>
      eventually(async () => {
        await pane.click(rowOf(name), { timeout: 2000 });
        await assertSelected(name, 2000);
        assert.ok((await pane.focusedName()).includes(name));
      });
    const drag = async (name: string, target: Locator) => {
      // VS Code opens rows over which something is dragged slowly: on a busy machine these push the icebox out of sight.
      for (const later of [ITERATION + 1, ITERATION + 2]) await pane.fold(pane.row(new RegExp(`^Backlog ${later}, `)));
      await pane.drag(rowOf(name), target);
    };
    const undo = () => code.page.keyboard.press('Control+Alt+z');
    /** Selects these rows, which stand one below the other. */
    const select = (first: string, last: string) =>
      eventually(async () => {
        await pane.rest();
        await pick(first);
        await pane.click(rowOf(last), { modifiers: ['Shift'] });
        const rows = await shown();
        const meant = rows.slice(rows.indexOf(first), rows.indexOf(last) + 1);
        // Rows that are painted again just then can lose their selection.
        await eventually(async () => assert.deepEqual(storiesIn(ITERATION, await pane.selectedNames()), meant), 2000);
      });
    const showBacklog = async () => {
      const row = pane.row(new RegExp(`^Backlog ${ITERATION}, `));
      await row.waitFor();
      // VS Code folds a row that is opened while its parent is painted again.
      await eventually(async () => {
        await pane.expand(row);
        await eventually(async () => assert.ok((await shown()).length >= 5), 3_000);
      }, 60_000);
    };

    before(async () => {
      code = await openBuiltInWindow(join(folder, 'data'), {
        folder,
        installed: true,
      });
      pane = new StoriesPane(code.page);
      await pane.show();
      await showBacklog();
      order = await shown();
    });
    after(() => code.close());

    it('drags a story two places up', async () => {
      const [a = '', b = '', c = '', d = '', ...rest] = order;
      await drag(d, rowOf(b));
      order = [a, d, b, c, ...rest];
      await assertShown(order);
      await assertSelected(d);
      await pane.settle();
      await screenshot('dragged');
    });

    it('drags a story down', async () => {
      const [a = '', b = '', c = '', ...rest] = order;
      await drag(a, rowOf(c));
      order = [b, c, a, ...rest];
      await assertShown(order);
      await assertSelected(a);
    });

    it('moves a story by key, and the selection goes along', async () => {
      const [a = '', b = '', c = '', ...rest] = order;
      await pick(a);
      await code.page.keyboard.press('Alt+ArrowDown');
      await assertShown([b, a, c, ...rest]);
      await eventually(async () => assert.ok((await pane.focusedName()).includes(a)));
      await code.page.keyboard.press('Alt+ArrowDown');
      order = [b, c, a, ...rest];
      await assertShown(order);
      await pane.settle();
      await screenshot('by-key');
    });

    it('moves several selected stories together, again and again', async () => {
      const [a = '', b = '', c = '', d = '', ...rest] = order;
      await select(c, d);
      await code.page.keyboard.press('Alt+ArrowUp');
      await assertShown([a, c, d, b, ...rest]);
      await code.page.keyboard.press('Alt+ArrowUp');
      order = [c, d, a, b, ...rest];
      await assertShown(order);
      await screenshot('several');
    });

    it('drags three stories up and down, and undoes both by key', async () => {
      const [a = '', b = '', c = '', d = '', e = '', ...rest] = order;
      await select(c, e);
      await drag(d, rowOf(a));
      await assertShown([c, d, e, a, b, ...rest]);
      await pane.settle();
      await screenshot('three-up');
      await select(c, e);
      await drag(d, rowOf(b));
      await assertShown(order);
      await undo();
      await assertShown([c, d, e, a, b, ...rest]);
      await undo();
      await assertShown(order);
    });

    it('drags three stories onto an earlier iteration, says at once what slips, and undoes it', async () => {
      const [a = '', b = '', c = '', ...rest] = order;
      await select(a, c);
      const told = code.page
        .locator('.statusbar')
        .getByText(/^\s*#\d+ stays in iteration 6: \d points? do(es)? not fit in iteration 5\. /)
        .first()
        .waitFor();
      await drag(b, pane.row(/^Current \d+, /));
      await told;
      await eventually(async () => {
        const names = await pane.names();
        const moved = storiesIn(ITERATION - 1, names).filter((name) => [a, b, c].includes(name));
        // The third has no room left there, which is planned before the server answers.
        assert.deepEqual([moved, storiesIn(ITERATION, names)[0]], [[a, b], c]);
      });
      // The message takes it back, and is there for some seconds only.
      const picture = screenshot('onto-iteration');
      await code.page
        .locator('.statusbar')
        .getByRole('button', { name: /slips? to iteration .* Undo$/ })
        .click();
      await picture;
      await assertShown([a, b, c, ...rest]);
    });

    it('drags three stories into the icebox, and undoes it', async () => {
      const [a = '', b = '', c = '', ...rest] = order;
      await select(a, c);
      await drag(b, pane.row(/^Icebox, /));
      await eventually(async () => assert.equal((await shown()).filter((name) => [a, b, c].includes(name)).length, 0));
      await pane.settle();
      await screenshot('into-icebox');
      await undo();
      await assertShown([a, b, c, ...rest]);
    });

    it('moves to the ends by key, and undoes it', async () => {
      const [a = '', b = ''] = order;
      for (const [name, key] of [
        [b, 'Alt+Home'],
        [a, 'Alt+End'],
      ] as const) {
        await pick(name);
        await code.page.keyboard.press(key);
        await eventually(async () => assert.ok(!(await shown()).includes(name)));
        await undo();
        await assertShown(order);
        // The row that came back is selected, once it is painted.
        await pane.settle();
      }
    });

    it('keeps the focus on a row that planning takes back over the border of the iteration, and says why', async () => {
      const large = order.find((name) => name.startsWith('Keep changes made offline')) ?? assert.fail();
      await pane.rest();
      await pick(large);
      await code.page.keyboard.press('Alt+Home');
      await code.page
        .locator('.statusbar')
        .getByText(/^\s*#\d+ stays in iteration 6: 8 points do not fit in iteration 5\./)
        .first()
        .waitFor();
      await eventually(async () => assert.ok((await shown()).includes(large)));
      await assertSelected(large);
      await eventually(async () => assert.ok((await pane.focusedName()).includes(large)));
      await undo();
      await assertShown(order);
      await pane.settle();
    });

    it('has nothing to tell when all went well', async () => {
      assert.equal(await code.page.locator('.notification-toast').count(), 0);
    });

    it('shows the same order after a restart of everything, and so does the server', async () => {
      code = await code.restart();
      pane = new StoriesPane(code.page);
      await pane.show();
      await pane.row(/^Current \d+, /).waitFor();
      await showBacklog();
      await assertShown(order);
      const service = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
      try {
        const answer = await service.ask('GET', '/projects/1/iterations/current_backlog');
        assert.deepEqual(storiesAnswered(ITERATION, answer), order);
      } finally {
        await service.stop();
      }
    });

    it('drops a story onto an iteration and into the icebox', async () => {
      const [a = '', b = ''] = order;
      await drag(b, pane.row(/^Icebox, /));
      await eventually(async () => assert.ok(!(await shown()).includes(b)));
      // It opens for what is dropped there, unless the row is painted again just then.
      await pane.expand(pane.row(/^Icebox, /));
      await eventually(async () =>
        assert.match((await pane.names()).join('\n'), new RegExp(`unscheduled, ${b},.* 1 of \\d+ in the icebox`)),
      );
      await pane.settle();
      await drag(b, pane.row(new RegExp(`^Backlog ${ITERATION}, `)));
      // Without points there is room for it in the iteration before, which is planned once it is there, and told.
      const told = code.page
        .locator('.statusbar')
        .getByText(/^\s*#\d+ still fits in iteration \d+, so it is planned there\. .*Undo$/);
      await told.first().waitFor();
      await eventually(async () => {
        const names = await pane.names();
        assert.deepEqual([storiesIn(ITERATION - 1, names).at(-1), storiesIn(ITERATION, names)[0]], [b, a]);
      });
    });
  });

  describe('with a server that refuses', () => {
    let server: FixtureServer;
    const toasts = () => code.page.locator('.notification-toast');
    const rows = async () => storiesIn(13, await pane.names());
    const rowOf = (name: string) => code.page.locator('.sidebar .monaco-list-row', { hasText: name }).first();

    before(async () => {
      server = await FixtureServer.start();
      code = await openVsCode({ folder, extensionPath: root, installed: true });
      pane = new StoriesPane(code.page);
      await pane.show();
      await pane.signIn(server.url, server.token);
      await pane.row(/^Current 12, /).waitFor();
      await pane.expandTo(pane.row(/^Backlog 13, /), pane.row(/Bake bread/));
      await eventually(async () => assert.equal((await rows()).length, 4));
    });
    after(async () => {
      await code.close();
      await server.stop();
    });

    it('shows states and types that nobody knows as they came', async () => {
      const names = (await pane.names()).join('\n');
      assert.match(names, /^Bug, on_hold, 007, 2 of 3 in iteration 12$/m);
      assert.match(names, /^Epic, unstarted, Move house, 3 of 3 in iteration 12$/m);
      assert.match(names, /^Feature, started, Café テスト <menu>, 3 points, 1 of 3 in iteration 12$/m);
      await pane.settle();
      await screenshot('foreign');
    });

    it('puts the rows back and quotes the server once', async () => {
      server.refuse(/\/moves$/, ['The backlog is frozen until Friday.']);
      await pane.drag(rowOf('Sweep the floor'), rowOf('Bake bread'));
      await toasts().getByText('Could not move “Sweep the floor”: The backlog is frozen until Friday.').waitFor();
      await eventually(async () =>
        assert.deepEqual(await rows(), ['Bake bread', 'Bake rolls', 'Sweep the floor', 'Opening day']),
      );
      await pane.settle();
      assert.equal(await toasts().count(), 1);
      await screenshot('refused');
    });

    it('shows a move at once where the server is slow, and undoes it', async () => {
      const letGo = server.hold(/\/moves$/);
      await pane.drag(rowOf('Opening day'), rowOf('Bake rolls'));
      const moved = ['Bake bread', 'Opening day', 'Bake rolls', 'Sweep the floor'];
      await eventually(async () => assert.deepEqual(await rows(), moved));
      await eventually(() => assert.equal(server.requests.at(-1)?.path, '/projects/7/stories/107/moves'));
      assert.deepEqual(server.order.slice(4, 8), [104, 105, 106, 107], 'nothing is moved there yet');
      letGo();
      await eventually(() => assert.deepEqual(server.order.slice(4, 8), [104, 107, 105, 106]));
      assert.deepEqual(await rows(), moved);
      await code.page.keyboard.press('Control+Alt+z');
      await eventually(() => assert.deepEqual(server.order.slice(4, 8), [104, 105, 106, 107]));
      await eventually(async () =>
        assert.deepEqual(await rows(), ['Bake bread', 'Bake rolls', 'Sweep the floor', 'Opening day']),
      );
    });

    it('puts several rows back that the server refuses, and says so once', async () => {
      server.refuse(/\/moves$/, ['Only one at a time, please.']);
      await pane.rest();
      await pane.click(rowOf('Bake bread'));
      await pane.click(rowOf('Bake rolls'), { modifiers: ['Shift'] });
      await eventually(async () => assert.equal((await pane.selectedNames()).length, 2));
      await code.page.keyboard.press('Alt+ArrowDown');
      await toasts().getByText('Could not move “Sweep the floor” to make room: Only one at a time, please.').waitFor();
      await eventually(async () =>
        assert.deepEqual(await rows(), ['Bake bread', 'Bake rolls', 'Sweep the floor', 'Opening day']),
      );
      assert.equal(await toasts().getByText('Only one at a time').count(), 1);
    });

    it('shows the true order, and says so once, where someone else moved the target', async () => {
      server.moveForeign(105, 'after', 107);
      await pane.drag(rowOf('Sweep the floor'), rowOf('Bake rolls'));
      await toasts().getByText('“Bake rolls” was moved by another change, and your stories moved with it.').waitFor();
      await eventually(async () =>
        assert.deepEqual(await rows(), ['Bake bread', 'Opening day', 'Sweep the floor', 'Bake rolls']),
      );
      assert.equal(await toasts().getByText('moved with it').count(), 1);
      await screenshot('target-moved');
    });

    it('does not undo what someone else moved since, and says so once', async () => {
      server.moveForeign(106, 'before', 104);
      await pane.click(rowOf('Bake bread'));
      await code.page.keyboard.press('Control+Alt+z');
      await toasts().getByText('Could not undo because “Sweep the floor” has been moved or changed since.').waitFor();
      await eventually(async () =>
        assert.deepEqual(await rows(), ['Sweep the floor', 'Bake bread', 'Opening day', 'Bake rolls']),
      );
      assert.deepEqual(server.order.slice(4, 8), [106, 104, 107, 105]);
      assert.equal(await toasts().getByText('Could not undo').count(), 1);
      await screenshot('not-undone');
    });
  });
});
