import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { AttachmentFiles } from '../../src/service/attachments/attachmentFiles.ts';
import { newStoredName, noOwner } from '../../src/service/attachments/attachmentFiles.ts';
import { openBucketFiles } from '../../src/service/attachments/bucketFiles.ts';
import { isStoreUnavailable } from '../../src/service/ground/errors.ts';
import { BucketStore } from './support/bucketStore.ts';
import { type Fault, FaultyStore } from './support/faultyStore.ts';
import { describeOnSqlite } from './support/testDatabase.ts';
import { temporaryFolder } from './support/testService.ts';

/** Here a store has to be quicker. */
const PACE = { answer: 400, rate: 16 * 1024 * 1024 };
/** The same for all that one file takes: what is asked again, and the time for its bytes. */
const ALL_TIME = 8 * PACE.answer;
const LARGE = 9 * 1024 * 1024;

describeOnSqlite('a store for buckets that does not answer as it should', () => {
  let store: BucketStore;
  let faulty: FaultyStore;
  let folder: string;
  /** Those that ask a store from which answers are wanted soon, and those that ask it as usual. */
  let files: AttachmentFiles;
  let patient: AttachmentFiles;

  before(async function () {
    this.timeout(60_000);
    [store, folder] = [await BucketStore.start(), await temporaryFolder()];
    faulty = await FaultyStore.start(store);
    patient = await openBucketFiles(folder, faulty.address);
    files = await openBucketFiles(folder, faulty.address, noOwner, PACE);
  });
  after(async () => {
    await faulty.stop();
    await store.remove();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    faulty.fault = () => undefined;
  });

  async function kept(bytes: number, into = files): Promise<string> {
    const name = newStoredName();
    const sink = await into.create(name);
    await sink.write(Buffer.alloc(bytes, 'a'));
    await into.keep(name, sink);
    return name;
  }

  /** All that the store is asked for. */
  const deeds = (name: string): Readonly<Record<string, () => Promise<unknown>>> => ({
    keep: () => kept(5),
    read: async () => {
      const read = await files.read(name, 5);
      return read && text(read);
    },
    sizeOf: () => files.sizeOf(name),
    list: () => Readable.from(files.batches()).toArray(),
    trash: () => files.discard([name]),
    remove: () => files.remove(newStoredName()),
    usable: () => files.requireUsable(),
    note: () => files.note('database.json'),
    replace: () => files.replace('database.json', '{}'),
  });

  const FAULTS: Readonly<Record<string, Fault>> = {
    'says nothing': () => 'faulty',
    'breaks off': (request) => {
      request.socket.destroy();
      return 'faulty';
    },
    'answers 500': (request, response) => {
      request.resume();
      response.writeHead(500, { 'Content-Type': 'application/xml' }).end('<Error><Code>InternalError</Code></Error>');
      return 'faulty';
    },
    'answers 403': (request, response) => {
      request.resume();
      response.writeHead(403, { 'Content-Type': 'application/xml' }).end('<Error><Code>AccessDenied</Code></Error>');
      return 'faulty';
    },
    'leads elsewhere': (request, response) => {
      request.resume();
      response.writeHead(307, { Location: 'http://127.0.0.1:9/' }).end();
      return 'faulty';
    },
    'refuses without end': (request, response) => {
      request.resume();
      response.writeHead(503, { 'Content-Type': 'application/xml' });
      const more = (): void => {
        if (response.destroyed) return;
        response.write(Buffer.alloc(64 * 1024, 'x'), () => setImmediate(more));
      };
      more();
      return 'faulty';
    },
  };

  for (const [what, fault] of Object.entries(FAULTS)) {
    it(`${what}: it is said that the files are not available, in time`, async () => {
      const name = await kept(5, patient);
      for (const [deed, work] of Object.entries(deeds(name))) {
        faulty.fault = fault;
        const begun = performance.now();
        const error = await work().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        const took = performance.now() - begun;
        assert.ok(isStoreUnavailable(error), `${deed}: ${String(error)}`);
        assert.match(error.message, /not available right now\. Nothing was changed\./);
        assert.doesNotMatch(String(error.cause), /S3RVER.*Signature|secret/i);
        assert.ok(took < ALL_TIME, `${deed} took ${took} ms`);
        faulty.fault = () => undefined;
      }
      assert.equal(await patient.sizeOf(name), 5);
    }).timeout(60_000);
  }

  it('holds up no other large file for long, when it takes none of one', async () => {
    faulty.fault = (request) => (request.method === 'PUT' ? 'faulty' : undefined);
    const begun = performance.now();
    const [first, second] = await Promise.allSettled([kept(LARGE), kept(LARGE)]);
    assert.deepEqual([first.status, second.status], ['rejected', 'rejected']);
    const most = 2 * (ALL_TIME + (LARGE / PACE.rate) * 1000);
    assert.ok(performance.now() - begun < most, `${performance.now() - begun} ms`);
    faulty.fault = () => undefined;
    assert.equal(await patient.sizeOf(await kept(LARGE, patient)), LARGE);
  }).timeout(60_000);

  it('gives fewer bytes, other bytes than asked for, or a page: none of that is taken for the file', async () => {
    const name = await kept(5, patient);
    const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
      fewer: (response) => response.writeHead(200, { 'Content-Length': 3 }).end('abc'),
      page: (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>hello'),
    };
    for (const [what, give] of Object.entries(answers)) {
      faulty.fault = (request, response) => {
        if (request.method !== 'GET') return undefined;
        give(response);
        return 'faulty';
      };
      assert.equal(await patient.read(name, 5), undefined, what);
      const listed: unknown = await Readable.from(patient.batches())
        .toArray()
        .catch((error: unknown) => error);
      assert.ok(isStoreUnavailable(listed), what);
    }
    faulty.fault = (request, response) => {
      if (request.method !== 'GET') return undefined;
      response.writeHead(200, { 'Content-Length': 5 });
      response.write('ab');
      setTimeout(() => response.destroy(), 20);
      return 'faulty';
    };
    const cut = await patient.read(name, 5);
    await assert.rejects(async () => cut && text(cut));
  });
});
