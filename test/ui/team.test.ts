import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTransport } from 'nodemailer';
import type { ServiceProcess } from '../service/support/serviceProcess.ts';
import { eventually } from '../support/eventually.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { ActivityPane } from './activityPane.ts';
import { StoriesPane } from './storiesPane.ts';
import { TeamOffice } from './teamOffice.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');
/** Milliseconds after which even a window that nobody looks at has asked for news. */
const SEEN = 90_000;
const PASSWORD = 'the rocket of last year';
const BACKLOG = `Id,Title,Type,Estimate,Current State,Created at,Requested By,Owned By,Comment
71,Rocket stands,feature,2,started,"Jan 5, 2026",Ada,Ada,"It leans (Ben - Jan 6, 2026)"
72,Rocket flies,feature,3,unstarted,"Jan 5, 2026",Ada,,
73,Rocket lands,feature,2,unstarted,"Jan 5, 2026",Ada,,
74,Rocket is clean,chore,,unstarted,"Jan 5, 2026",Ada,,
`;

const emailOf = (name: string): string => `${name.toLowerCase()}@example.org`;

interface Person {
  readonly name: string;
  readonly code: VsCode;
  readonly pane: StoriesPane;
}

describe('A team on PostgreSQL, in real windows', function () {
  this.timeout(4 * SEEN);
  let office: TeamOffice;
  let first: ServiceProcess;
  let second: ServiceProcess;
  const people: Person[] = [];

  async function window(name: string, { url }: ServiceProcess): Promise<Person> {
    const email = emailOf(name);
    const settings = { 'storyTracker.pollSeconds': 5, 'storyTracker.extraCertificates': [office.authority.file] };
    const { folder } = office;
    const code = await openVsCode({ folder, extensionPath: root, installed: true, userSettings: settings });
    const person = { name, code, pane: new StoriesPane(code.page) };
    people.push(person);
    await person.pane.show();
    await person.pane.welcomeButton('Sign In to a Server…').click();
    await person.pane.answer(url);
    await person.pane.choose('Username and Password');
    await person.pane.answer(email);
    await person.pane.answer('a password from before', { refused: true });
    await code.page.getByText('set your password with the link in the invitation first').first().waitFor();
    await person.pane.answer(PASSWORD);
    return person;
  }

  const of = (name: string): Person => {
    const person = people.find((one) => one.name === name);
    assert.ok(person);
    return person;
  };
  const order = async ({ pane }: Person): Promise<readonly string[]> =>
    (await pane.names()).flatMap((name) => /, Rocket (\w+).* in iteration/.exec(name)?.[1] ?? []);
  const shows = (person: Person, expected: readonly string[], patience = SEEN): Promise<void> =>
    eventually(async () => assert.deepEqual(await order(person), expected), patience);
  const screenshot = async ({ code, pane, name }: Person, what: string): Promise<void> => {
    await pane.settle();
    await code.page.screenshot({ path: join(screenshots, `team-${what}-${name.toLowerCase()}.png`) });
  };

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    office = await TeamOffice.open();
    for (const name of ['Ada', 'Ben']) {
      await office.command(['user', 'add', '--name', name, '--email', emailOf(name), '--password-stdin'], PASSWORD);
    }
    const file = await office.file('apollo.csv', BACKLOG);
    await office.command([
      'import',
      file,
      '--name',
      'Apollo',
      '--owner',
      'ada@example.org',
      '--person',
      'Ben=ben@example.org',
    ]);
    first = await office.serve();
    second = await office.serve();
  });
  after(async () => {
    await Promise.all(people.map(({ code }) => code.close()));
    await office.close();
  });

  it('has the stories that it brought along, by user and password over TLS of its own authority', async () => {
    assert.match(first.url, /^https:/);
    for (const [name, process] of [
      ['Ada', first],
      ['Ben', second],
    ] as const) {
      const person = await window(name, process);
      await shows(person, ['stands', 'flies', 'lands', 'is']);
    }
    await screenshot(of('Ada'), 'moved-in');
  });

  it('sees what one of them drags in the windows of all, whichever process each asks', async () => {
    const { pane } = of('Ada');
    await pane.drag(pane.row(/Rocket lands/), pane.row(/Rocket flies/));
    await shows(of('Ada'), ['stands', 'lands', 'flies', 'is']);
    await shows(of('Ben'), ['stands', 'lands', 'flies', 'is']);
    await screenshot(of('Ben'), 'dragged');
  });

  it('is told by mail of a story that someone gives away, and a reply is a comment that all see', async () => {
    const { pane } = of('Ada');
    await pane.chooseInMenu(pane.row(/Rocket lands/), 'Edit', 'Assign…');
    await pane.choose('Ben');
    const mail = await eventually(() => {
      const found = office.mail.mails.find(({ recipients }) => recipients.includes('ben@example.org'));
      assert.ok(found);
      return found;
    }, SEEN);
    assert.match(mail.text ?? '', /Rocket lands/);
    assert.ok(mail.text?.includes(first.url) || mail.text?.includes(second.url));
    const port = Number(first.replies.split(':').at(-1));
    await createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail({
      from: 'Ben <ben@example.org>',
      to: mail.replyTo?.[0]?.address ?? '',
      inReplyTo: mail.messageId ?? '',
      subject: `Re: ${mail.subject}`,
      text: `On its feet, I hope.\n\nOn Monday, Story Tracker wrote:\n> ${mail.text?.replaceAll('\n', '\n> ')}`,
    });
    const activity = new ActivityPane(of('Ada').code.page);
    await activity.expand();
    await activity
      .row(/Ben .*On its feet, I hope\./)
      .first()
      .waitFor({ timeout: SEEN });
    await screenshot(of('Ada'), 'replied');
  });

  it('loses nothing when a process is killed: what its window did in the meantime is there for all when it is back', async () => {
    const ada = of('Ada');
    const port = Number(new URL(first.url).port);
    assert.equal(await first.end('SIGKILL'), 'SIGKILL');
    await ada.pane.click(ada.pane.row(/Rocket is clean/));
    await ada.code.page.keyboard.press('Alt+ArrowUp');
    await shows(ada, ['stands', 'lands', 'is', 'flies']);
    await screenshot(ada, 'away');
    first = await office.serve(port);
    await shows(of('Ben'), ['stands', 'lands', 'is', 'flies']);
    await shows(ada, ['stands', 'lands', 'is', 'flies']);
  });
});
