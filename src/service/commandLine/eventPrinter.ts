import { stripVTControlCharacters } from 'node:util';
import type { ServiceEvent, ServiceLog } from '../ground/background.ts';

/** What is printed to. */
interface Printed {
  readonly writableLength: number;
  write(text: string): unknown;
}

/** Bytes that nobody has read; more would fill the memory while a reader sleeps. */
const MOST_UNREAD = 8 * 1024 * 1024;

/**
 * Prints events: as JSON lines with their time for programs, or the address on standard output and the rest on standard error for
 * people. Where too much was not read, events are left out, and told of by number once there is room.
 */
export function eventPrinter(
  json: boolean,
  { stdout, stderr }: { readonly stdout: Printed; readonly stderr: Printed } = process,
): ServiceLog {
  let lost = 0;
  const print = (event: ServiceEvent): void => {
    if (json) stdout.write(`${JSON.stringify({ ...event, time: new Date().toISOString() })}\n`);
    else (event.event === 'listening' ? stdout : stderr).write(`${stripVTControlCharacters(sentence(event))}\n`);
  };
  return (event) => {
    if (stdout.writableLength + stderr.writableLength > MOST_UNREAD) {
      lost += 1;
      return;
    }
    if (lost > 0) print({ event: 'unread', lost });
    lost = 0;
    print(event);
  };
}

/** Holds back what is heard until it is released: who starts a service waits for its address as the first line. */
export function afterFirst(print: ServiceLog): { readonly hear: ServiceLog; readonly release: () => void } {
  let held: ServiceEvent[] | undefined = [];
  return {
    hear: (event) => void (held ? held.push(event) : print(event)),
    release: () => {
      const events = held ?? [];
      held = undefined;
      for (const event of events) print(event);
    },
  };
}

function sentence({ event, ...details }: ServiceEvent): string {
  if (event === 'listening') {
    const token = details.token === undefined ? '' : `\nAPI token: ${details.token}`;
    const replies = details.replies === undefined ? '' : `\nReplies to mails at ${details.replies}`;
    return `Story Tracker answers at ${details.url} with the data in ${details.data}.${token}${replies}`;
  }
  if (event === 'newDatabase')
    return `New, empty database: ${details.file}. If you expected your projects, check --data and --database.`;
  if (event === 'warning' && typeof details.message === 'string') return `Warning: ${details.message}`;
  const parts = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [event, ...parts].join(' ');
}
