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

function sentence({ event, ...details }: ServiceEvent): string {
  if (event === 'listening') {
    const token = details.token === undefined ? '' : `\nAPI token: ${details.token}`;
    const replies = details.replies === undefined ? '' : `\nReplies to mails at ${details.replies}`;
    return `Story Tracker answers at ${details.url}${token}${replies}`;
  }
  const parts = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [event, ...parts].join(' ');
}
