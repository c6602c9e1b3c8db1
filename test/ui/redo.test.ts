import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Undoing and making again by keys', () => {
  let folder: string;
  let server: FixtureServer;
  let code: VsCode;
  let pane: StoriesPane;
  const backlog = () => server.order.filter((id) => id >= 104 && id <= 107);
  const status = (text: string) => code.page.locator('.statusbar').getByText(text);

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    server = await FixtureServer.start();
    code = await openVsCode({ folder, extensionPath: root, installed: true });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.signIn(server.url, server.token);
    await pane.row(/^Current 12, /).waitFor();
    await pane.expandTo(pane.row(/^Backlog 13, /), pane.row(/Bake bread/));
  });
  after(async () => {
    await code.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('takes a move back and makes it again, and says so', async () => {
    const row = pane.row(/Bake bread/);
    await pane.click(row);
    await pane.hasFocused(/Bake bread/);
    await code.page.keyboard.press('Alt+ArrowDown');
    await eventually(() => assert.deepEqual(backlog(), [105, 104, 106, 107]));
    await code.page.keyboard.press('Control+Alt+z');
    await eventually(() => assert.deepEqual(backlog(), [104, 105, 106, 107]));
    await status('Moved “Bake bread” back.').waitFor();
    await code.page.screenshot({ path: join(screenshots, 'redo-undone.png') });
    await code.page.keyboard.press('Control+Alt+Shift+z');
    await eventually(() => assert.deepEqual(backlog(), [105, 104, 106, 107]));
    await status('Moved “Bake bread” again.').waitFor();
    assert.equal(await code.page.locator('.notification-toast').count(), 0);
  });

  it('takes an edit and a move of a story back by the same key, the latest first, and makes both again', async () => {
    const owner = () => />(.*)</.exec(server.routes.story(105).elements.get('owned_by') ?? '')?.[1] ?? '';
    const shown = async () => (await pane.names()).flatMap((name) => /Bake \w+/.exec(name) ?? []);
    const offer = code.page.locator('.statusbar-item', { hasText: 'assigned to Ana Example' });
    const row = pane.row(/Bake rolls/);
    const assertIs = async (order: readonly number[], ownedBy: string, picture?: string) => {
      await eventually(() => assert.deepEqual([backlog(), owner()], [order, ownedBy]));
      const first = order[0] === 105 ? ['Bake rolls', 'Bake bread'] : ['Bake bread', 'Bake rolls'];
      await eventually(async () => assert.deepEqual(await shown(), first));
      await eventually(async () => assert.equal((await row.textContent())?.includes('· AE'), ownedBy !== ''));
      if (picture) await code.page.screenshot({ path: join(screenshots, `undo-${picture}.png`) });
    };
    await assertIs([105, 104, 106, 107], '');
    await pane.click(row);
    await pane.chooseInMenu(row, 'Edit', 'Assign…');
    await pane.choose('Ana Example');
    await offer.waitFor();
    await pane.click(row);
    await pane.hasFocused(/Bake rolls/);
    await code.page.keyboard.press('Alt+ArrowDown');
    await assertIs([104, 105, 106, 107], 'Ana Example', 'edited-and-moved');
    await code.page.keyboard.press('Control+Alt+z');
    await assertIs([105, 104, 106, 107], 'Ana Example', 'moved-back');
    await code.page.keyboard.press('Control+Alt+z');
    await status('Reverted story #105: owner.').waitFor();
    await assertIs([105, 104, 106, 107], '', 'reverted');
    assert.equal(await offer.count(), 0, 'what was undone is no longer offered');
    for (const _ of [1, 2]) await code.page.keyboard.press('Control+Alt+Shift+z');
    await assertIs([104, 105, 106, 107], 'Ana Example', 'made-again');
    assert.equal(await code.page.locator('.notification-toast').count(), 0);
  });
});
