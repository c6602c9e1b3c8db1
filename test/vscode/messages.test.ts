import assert from 'node:assert/strict';
import { TrackerError } from '../../src/core/errors.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { silentLog } from '../support/silentLog.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

describe('What went wrong is told', () => {
  let shown: RecordedMessages;
  beforeEach(() => {
    shown = new RecordedMessages();
  });
  afterEach(() => shown.restore());

  function assertTold(thrown: unknown, kind: string, ...buttons: readonly string[]): void {
    new Messages(silentLog, () => undefined).error(thrown);
    assert.deepEqual(
      shown.shown.map((one) => ({ kind: one.kind, buttons: one.buttons })),
      [{ kind, buttons }],
    );
  }
  const request = 'PUT /projects/1/stories/2';

  it('quietly and with nothing to press where a command refuses what it was asked for', () => {
    assertTold(new TrackerError('notFound', 'No saved filters yet.'), 'info');
  });
  it('quietly where something was entered that cannot be sent', () => {
    assertTold(new TrackerError('input', 'Enter a task description.'), 'info');
  });
  it('quietly where someone else was faster', () => {
    assertTold(new TrackerError('conflict', 'Story #2 has been changed since.'), 'info');
  });
  it('with a way to sign in where nobody is', () => {
    assertTold(new TrackerError('unauthorized', 'You are not signed in.'), 'info', 'Sign In…');
  });
  it('as a warning, in the server’s words, where that refuses', () => {
    assertTold(new TrackerError('refused', 'Name is too long.', { request, status: 422 }), 'warning');
  });
  it('as a warning where a server refused what had waited', () => {
    assertTold(new TrackerError('refused', 'Name is too long.'), 'warning');
  });
  it('as a warning that leads to the connection where a server is away', () => {
    const cause = new Error('ECONNREFUSED');
    assertTold(new TrackerError('unreachable', 'No answer.', { request, cause }), 'warning', 'Check Connection…');
    assert.equal(shown.shown.length, 1);
  });
  it('with the log where another error is behind it', () => {
    const cause = new Error('fatal: could not create the worktree');
    assertTold(new TrackerError('input', 'Could not create the worktree.', { cause }), 'warning', 'Show Log');
  });
  it('as a warning without the log where one of ours is behind it', () => {
    const cause = new TrackerError('unauthorized', 'No.', { request });
    assertTold(new TrackerError('unauthorized', 'Wrong token.', { cause }), 'warning', 'Sign In…');
  });
  it('as an error with the log where a server fails or makes no sense', () => {
    assertTold(new TrackerError('server', 'The server failed.', { request, status: 500 }), 'error', 'Show Log');
  });
  it('as an error with the log where the program itself fails', () => {
    assertTold(new TypeError('x is undefined'), 'error', 'Show Log');
  });
  it('not at all where the person turned away', () => {
    new Messages(silentLog, () => undefined).error(new TrackerError('cancelled', 'Canceled.'));
    assert.deepEqual(shown.shown, []);
  });
});
