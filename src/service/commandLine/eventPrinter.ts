import { stripVTControlCharacters } from 'node:util';
import type { ServiceEvent, ServiceLog } from '../serviceLog.ts';

/** Prints events: as JSON lines with their time for programs, or the address on standard output and the rest on standard error for people. */
export function eventPrinter(json: boolean): ServiceLog {
  if (json)
    return (event) => void process.stdout.write(`${JSON.stringify({ ...event, time: new Date().toISOString() })}\n`);
  return (event) => {
    const stream = event.event === 'listening' ? process.stdout : process.stderr;
    stream.write(`${stripVTControlCharacters(sentence(event))}\n`);
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
    return `Story Tracker answers at ${details.url}${token}${replies}`;
  }
  const parts = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [event, ...parts].join(' ');
}
