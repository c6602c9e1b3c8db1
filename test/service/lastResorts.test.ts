import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { newProject } from './support/project.ts';
import { rawHead } from './support/raw.ts';
import { assertRefused, assertStatus } from './support/request.ts';
import { startTestService } from './support/testService.ts';

describe('a service that is stopping', () => {
  it('does what is under way, and answers 503 to what comes after it on the same connection', async () => {
    const service = await startTestService();
    const ada = await service.user('Ada Lovelace');
    const stories = `/services/v3/projects/${await newProject(ada)}/stories`;
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    let text = '';
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    const body = '<story><name>Under way</name></story>';
    const head = [`POST ${stories} HTTP/1.1`, 'Host: localhost', `X-ServiceToken: ${ada.token}`];
    socket.write(rawHead(...head, `Content-Length: ${body.length}`, 'Expect: 100-continue'));
    while (!text.includes('100 Continue')) await wait(5);
    const stopped = service.stop();
    const next = rawHead(`GET ${stories} HTTP/1.1`, 'Host: localhost', `X-ServiceToken: ${ada.token}`);
    const closed = once(socket, 'close');
    socket.write(body + next);
    await closed;
    await stopped;
    const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => match[1]);
    assert.deepEqual(statuses, ['100', '200', '503']);
    assert.match(text, /<name>Under way<\/name>/);
    assert.match(text.slice(text.indexOf(' 503 ')), /Retry-After: 2[\s\S]*<error>This service is stopping/i);
  });
});

describe('a stop that takes too long', () => {
  it('is given up, and says so', async () => {
    const service = await startTestService({ stopTime: 50 });
    const ada = await service.user('Ada Lovelace');
    const stories = `/services/v3/projects/${await newProject(ada)}/stories`;
    const { hostname, port } = new URL(service.url);
    const slow = connect(Number(port), hostname).resume();
    const head = [`POST ${stories} HTTP/1.1`, 'Host: localhost', `X-ServiceToken: ${ada.token}`];
    slow.write(rawHead(...head, 'Content-Length: 99', 'Expect: 100-continue'));
    await once(slow, 'data');
    await assert.rejects(service.running.stop(), /Not everything finished in time/);
    slow.destroy();
  });
});

describe('a mistake of the service itself', () => {
  it('is answered with 500 in words without a trace of the code, which is in the log', async () => {
    const events: ServiceEvent[] = [];
    const service = await startTestService({ log: (event) => void events.push(event) });
    const ada = await service.user('Ada Lovelace');
    const project = `/projects/${await newProject(ada)}`;
    await service.running.database.write((tx) =>
      tx.schema.alterTable('notes').renameColumn('author', 'gone').execute(),
    );
    const answer = await ada.get(`${project}/stories`);
    await ada.post(`${project}/stories`, '<story><name>x</name></story>');
    const seen = await ada.get(`${project}/iterations`);
    const broken = [answer, seen].find(({ status }) => status === 500);
    assert.ok(broken);
    assertRefused(broken, 500, /failed to handle this request\. See its log for details/);
    assert.doesNotMatch(broken.text, /author|sql|\.ts|\bat /i);
    assert.ok(events.some(({ event, message }) => event === 'error' && /author/.test(String(message))));
    assertStatus(await ada.get('/projects'), 200);
    await service.running.database.write((tx) =>
      tx.schema.alterTable('notes').renameColumn('gone', 'author').execute(),
    );
    await service.stop();
  });
});
