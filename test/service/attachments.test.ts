import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { newProject, newStory } from './support/project.ts';
import { rawHead, sendRaw } from './support/raw.ts';
import { assertNotFound, assertRefused, assertStatus, idOf, request, textOf, texts } from './support/request.ts';
import { incomingFiles, storedFiles, sweptFiles } from './support/storedFiles.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const LIMIT = 2 * 1024 * 1024;

describe('attachments', () => {
  let now = Date.now();
  let service: TestService;
  let ada: TestUser;
  let path: string;
  const events: ServiceEvent[] = [];

  before(async () => {
    service = await startTestService({ maxUpload: LIMIT, clock: () => now, log: (event) => events.push(event) });
    ada = await service.user('Ada Lovelace');
    const projectId = await newProject(ada);
    path = `/projects/${projectId}/stories/${await newStory(ada, projectId, 'With files')}`;
  });
  after(() => service.stop());

  const stored = () => storedFiles(service.folder);

  function form(bytes: Uint8Array<ArrayBuffer>, filename: string, field = 'Filedata'): FormData {
    const data = new FormData();
    data.set(field, new Blob([bytes]), filename);
    return data;
  }

  async function uploaded(bytes: Uint8Array<ArrayBuffer>, filename: string): Promise<number> {
    return idOf(await ada.post(`${path}/attachments`, form(bytes, filename)));
  }

  async function downloadUrl(id: number): Promise<string> {
    return textOf(await ada.get(`${path}/attachments/${id}`), 'url').replaceAll('&amp;', '&');
  }

  const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

  it('come back byte for byte, whatever the size and whatever is in them', async () => {
    const tricky = Buffer.from('\r\n--\r\n\r\n----\r\n--boundary\r\n'.repeat(500));
    for (const bytes of [0, 1, 2, 63, 65_535, 65_536, 65_537, LIMIT].map((size) => randomBytes(size)).concat(tricky)) {
      const id = await uploaded(Uint8Array.from(bytes), 'data.bin');
      assert.equal(Buffer.compare(await bytesOf(await downloadUrl(id)), bytes), 0, `${bytes.length} bytes`);
    }
  });

  it('are refused when their name is too long for a file', async () => {
    assertRefused(await ada.post(`${path}/attachments`, form(Uint8Array.from([1]), 'a'.repeat(256))), 422, /255/);
  });

  it('whose file is missing or cut are said to be, and the log tells it', async () => {
    const id = await uploaded(Uint8Array.from([1, 2, 3]), 'lost.bin');
    const before = await stored();
    const other = await uploaded(Uint8Array.from([1, 2, 3]), 'short.bin');
    const [cut = ''] = (await stored()).filter((name) => !before.includes(name));
    await writeFile(join(service.folder, 'attachments', cut), 'x');
    assertRefused(await request(await downloadUrl(other)), 404, /file of this attachment is missing/);
    for (const name of before) await rm(join(service.folder, 'attachments', name));
    assertRefused(await request(await downloadUrl(id)), 404, /file of this attachment is missing/);
    assert.deepEqual(
      events.map(({ event, during }) => [event, during]),
      [
        ['error', 'download'],
        ['error', 'download'],
      ],
    );
  });

  it('answer as recordings show it, and are listed on the story', async () => {
    const answer = await ada.post(`${path}/attachments`, form(Uint8Array.from([1, 2, 3]), 'three.bin'));
    assert.match(
      answer.text,
      /<attachment>\s*<id type="integer">\d+<\/id>\s*<status>Pending<\/status>\s*<\/attachment>\n$/,
    );
    const story = await ada.get(path);
    assert.match(story.text, /<attachments type="array">/);
    assert.equal(texts(story, 'filename').at(-1), 'three.bin');
    assert.equal(texts(story, 'uploaded_by').at(-1), 'Ada Lovelace');
    assert.deepEqual(texts(story, 'url').length, 1, 'no download address in the story');
  });

  it('keep the name exactly, in the list and in the download', async () => {
    const names = [
      'plain.txt',
      'Ünïcödé テスト 🎉.png',
      'quote".txt',
      'semi;colon=1.txt',
      '.hidden',
      'a'.repeat(255),
      "per%cent's (1)*.txt",
    ];
    for (const name of names) {
      const id = await uploaded(Uint8Array.from([7]), name);
      const listed = textOf(await ada.get(`${path}/attachments/${id}`), 'filename');
      assert.equal(listed.replaceAll('&quot;', '"'), name);
      const header = (await fetch(await downloadUrl(id))).headers.get('content-disposition') ?? '';
      const [, exact = ''] = /filename\*=UTF-8''(\S+)$/.exec(header) ?? [];
      assert.equal(decodeURIComponent(exact), name);
      assert.match(header, /^attachment; filename="[^"]*"; /);
    }
    assert.deepEqual(
      (await readdir(join(service.folder, 'attachments'))).filter((file) => !/^[0-9a-f]{32}$/.test(file)).sort(),
      ['database.json', 'incoming'],
    );
  });

  it('download without a token, never as a page, and for some minutes only', async () => {
    const id = await uploaded(Uint8Array.from(Buffer.from('<script>1</script>')), 'page.html');
    const url = await downloadUrl(id);
    const answer = await request(url);
    assertStatus(answer, 200);
    assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('content-length'), '18');
    assert.equal(answer.headers.get('cache-control'), 'private, no-store');
    assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="page\.html"/);
    for (const forged of [
      url.replace('/download/', '/download/1'),
      url.slice(0, -1),
      url.replace(/expires=\d/, 'expires=9'),
    ]) {
      assertRefused(await request(forged), 404, /no longer valid/);
    }
    now += 11 * 60_000;
    assertRefused(await request(url), 404, /no longer valid/);
    now += 86_400_000;
    const early = await downloadUrl(id);
    now -= 86_400_000;
    assertRefused(await request(early), 404, /no longer valid/);
    assertStatus(await request(await downloadUrl(id)), 200);
  });

  it('take the description that comes with the file', async () => {
    const data = form(Uint8Array.from([1]), 'x.bin');
    data.set('description', 'What I saw');
    data.set('other', 'ignored');
    const id = idOf(await ada.post(`${path}/attachments`, data));
    assert.equal(textOf(await ada.get(`${path}/attachments/${id}`), 'description'), 'What I saw');
  });

  it('refuse what is no upload and leave nothing behind', async () => {
    const before = (await stored()).length;
    const attach = (body: FormData | string, type?: string) =>
      request(`${service.url}/services/v3${path}/attachments`, {
        method: 'POST',
        token: ada.token,
        body,
        ...(type !== undefined && { headers: { 'Content-Type': type } }),
      });
    assertRefused(await attach(form(Uint8Array.from([1]), 'x', 'file')), 422, /no file in the form field Filedata/);
    assertRefused(await attach('<x/>'), 415, /multipart\/form-data/);
    assertRefused(await attach('x', 'multipart/form-data'), 400, /no boundary/);
    assertRefused(await attach('x', 'multipart/form-data; boundary=b'), 400, /ends before its last boundary/);
    const twice = form(Uint8Array.from([1]), 'x');
    twice.append('Filedata', new Blob(['2']), 'y');
    assertRefused(await attach(twice), 400, /one Filedata at a time/);
    const field = new FormData();
    field.set('Filedata', 'text');
    assertRefused(await attach(field), 422, /file with a name/);
    assertNotFound(await ada.post(`${path}9/attachments`, form(Uint8Array.from([1]), 'x')));
    assert.equal((await stored()).length, before);
  });

  it('refuse a file over the limit, whether its length is said or not', async () => {
    const before = (await stored()).length;
    const big = form(Uint8Array.from(randomBytes(LIMIT + 1)), 'big.bin');
    assertRefused(await ada.post(`${path}/attachments`, big), 413, /2 MiB/);
    const head = [
      `POST /services/v3${path}/attachments HTTP/1.1`,
      'Host: localhost',
      `X-ServiceToken: ${ada.token}`,
      'Content-Type: multipart/form-data; boundary=b',
    ];
    const claimed = await sendRaw(service.url, rawHead(...head, 'Content-Length: 99999999999', 'Expect: 100-continue'));
    assert.equal(claimed.status, 413);
    const part = '--b\r\nContent-Disposition: form-data; name="Filedata"; filename="x"\r\n\r\n';
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const body = chunk(part) + chunk('x'.repeat(LIMIT)) + chunk('y') + chunk('\r\n--b--\r\n') + chunk('');
    const chunked = await sendRaw(
      service.url,
      rawHead(...head, 'Transfer-Encoding: chunked', 'Connection: close') + body,
    );
    assert.equal(chunked.status, 413);
    assert.equal((await stored()).length, before);
  });

  it('leave nothing of an upload that is cut off', async () => {
    const before = (await stored()).length;
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      rawHead(
        `POST /services/v3${path}/attachments HTTP/1.1`,
        'Host: localhost',
        `X-ServiceToken: ${ada.token}`,
        'Content-Type: multipart/form-data; boundary=b',
        'Content-Length: 1000000',
      ),
    );
    socket.write('--b\r\nContent-Disposition: form-data; name="Filedata"; filename="cut"\r\n\r\n');
    socket.write(randomBytes(200_000));
    while ((await incomingFiles(service.folder)).length === 0) await wait(5);
    socket.destroy();
    while ((await incomingFiles(service.folder)).length > 0) await wait(5);
    assert.equal((await stored()).length, before);
    assert.equal((await ada.get(path)).text.includes('cut'), false);
  });

  it('are read in whatever pieces they arrive', async () => {
    const bytes = 'a\r\n--bc\r\n-\r\n--\r\n';
    const body = `preamble\r\n--b1\r\nContent-Disposition: form-data; name="Filedata"; filename="p%22q.txt"\r\nContent-Type: text/plain\r\n\r\n${bytes}\r\n--b1--\r\nepilogue`;
    for (const size of [1, 2, 3, 7]) {
      const { port } = new URL(service.url);
      const socket = connect(Number(port), '127.0.0.1').setNoDelay(true);
      socket.write(
        rawHead(
          `POST /services/v3${path}/attachments HTTP/1.1`,
          'Host: localhost',
          `X-ServiceToken: ${ada.token}`,
          'Content-Type: multipart/form-data; boundary="b1"',
          `Content-Length: ${body.length}`,
          'Connection: close',
        ),
      );
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      for (let start = 0; start < body.length; start += size) {
        socket.write(body.slice(start, start + size));
        await wait(0);
      }
      while (!/<\/attachment>/.test(text)) await wait(5);
      socket.destroy();
      const id = Number(textOf({ text }, 'id'));
      assert.equal((await bytesOf(await downloadUrl(id))).toString(), bytes);
      assert.equal(textOf(await ada.get(`${path}/attachments/${id}`), 'filename').replace('&quot;', '"'), 'p"q.txt');
    }
  });

  it('are refused where the project does not allow them', async () => {
    const projectId = await newProject(ada, 'No files');
    const id = await newStory(ada, projectId, 'Bare');
    await service.running.database.write(async (tx) => {
      await tx
        .updateTable('projects')
        .set((column) => ({ allowAttachments: 0, changes: column('changes', '+', 1) }))
        .where('id', '=', projectId)
        .execute();
    });
    const answer = await ada.post(`/projects/${projectId}/stories/${id}/attachments`, form(Uint8Array.from([1]), 'x'));
    assertRefused(answer, 422, /turned off/);
    assert.equal(textOf(await ada.get(`/projects/${projectId}`), 'allow_attachments'), 'false');
  });

  it('go with their story', async () => {
    const projectId = await newProject(ada, 'Short');
    const story = `/projects/${projectId}/stories/${await newStory(ada, projectId, 'Short')}`;
    const before = (await stored()).length;
    const id = idOf(await ada.post(`${story}/attachments`, form(Uint8Array.from([1]), 'x')));
    const url = textOf(await ada.get(`${story}/attachments/${id}`), 'url').replaceAll('&amp;', '&');
    await ada.delete(story);
    assertRefused(await request(url), 404, /no longer valid/);
    while ((await stored()).length > before) await wait(5);
  });

  it('that nobody names any more are swept a day later, and no others', async () => {
    const other = await startTestService();
    const folder = join(other.folder, 'attachments');
    const [old, young, foreign] = ['0'.repeat(32), '1'.repeat(32), 'keep.txt'];
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const name of [old, young, foreign]) await writeFile(join(folder, name), 'x');
    for (const name of [old, foreign]) await utimes(join(folder, name), yesterday, yesterday);
    const user = await other.user('Ada');
    const projectId = await newProject(user);
    const story = `/projects/${projectId}/stories/${await newStory(user, projectId, 'Kept')}`;
    await user.post(`${story}/attachments`, form(Uint8Array.from([1]), 'x'));
    const named = (await storedFiles(other.folder)).filter((name) => ![old, young].includes(name));
    for (const name of named) await utimes(join(folder, name), yesterday, yesterday);
    await other.running.stop();
    const again = await startTestService({ dataFolder: other.folder });
    await again.running.stop();
    assert.deepEqual(await storedFiles(other.folder), [young, ...named].sort());
    assert.deepEqual(await sweptFiles(other.folder), [old]);
    assert.ok((await readdir(folder)).includes(foreign));
    await rm(other.folder, { recursive: true, force: true });
  });
});
