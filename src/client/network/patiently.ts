import type { Socket } from 'node:net';
import type { Connect } from './connect.ts';

/** How long an answer may still be on its way when the server has stopped taking what we send, in milliseconds. */
const PATIENCE = 1000;

type WriteCallback = (error?: Error | null) => void;

/**
 * Connections for uploads. A server that refuses a file may answer and close before it has taken all of it; the broken pipe is
 * then reported late, so that the answer, which says why, is read first.
 */
export function patiently(connect: Connect): Connect {
  return async (target) => {
    const socket = await connect(target);
    makePatient(socket);
    return socket;
  };
}

function makePatient(socket: Socket): void {
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, callback) => write(chunk, encoding, patient(socket, callback));
  const writeAll = socket._writev?.bind(socket);
  if (writeAll) socket._writev = (chunks, callback) => writeAll(chunks, patient(socket, callback));
}

function patient(socket: Socket, callback: WriteCallback): WriteCallback {
  return (error) => {
    if (!error || !isBrokenPipe(error)) {
      callback(error);
      return;
    }
    const timer = setTimeout(() => callback(error), PATIENCE);
    socket.once('close', () => clearTimeout(timer));
  };
}

function isBrokenPipe(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET');
}
