import { asker } from './asker.ts';
import type { AskedProject, ManyProjects } from './manyProjects.ts';

/** What is done again and again, in this order: a change, and what the others of the team ask because of it. */
export const STEPS = [
  'move a story',
  'poll the activities of one’s projects after it',
  'poll the activities of the project after it',
  'current_backlog of the changed project',
  'current_backlog of an unchanged project',
  'the ten newest activities of one’s projects',
  'poll activities when nothing is new',
  'the ten newest activities of a team at rest, after others changed something',
  'poll the activities of each and every project',
] as const;

export type Step = (typeof STEPS)[number];

export interface Team {
  /** Gives the milliseconds that it took. */
  do(step: Step): Promise<number>;
  end(): void;
}

/** People at work in the projects that are asked about, one after the other. */
export function team(url: string, { token, tokenOfAll, tokenAtRest, asked }: ManyProjects): Team {
  const member = asker(url, token);
  const inAll = asker(url, tokenOfAll);
  const atRest = asker(url, tokenAtRest);
  let turn = 0;
  const project = (): AskedProject => {
    const found = asked[turn % asked.length];
    if (!found) throw new Error('There is no project to ask about.');
    return found;
  };
  let seen = 0;
  const news = (since = seen): string => `/activities?limit=100&newer_than_version=${since}`;
  const steps: Readonly<Record<Step, () => Promise<number>>> = {
    'move a story': () => {
      turn += 1;
      return member.time('POST', anyMove(project()));
    },
    'poll the activities of one’s projects after it': () => member.time('GET', news()),
    'poll the activities of the project after it': () => member.time('GET', `/projects/${project().id}${news()}`),
    'current_backlog of the changed project': () =>
      member.time('GET', `/projects/${project().id}/iterations/current_backlog`),
    'current_backlog of an unchanged project': () =>
      member.time('GET', `/projects/${project().id}/iterations/current_backlog`),
    'the ten newest activities of one’s projects': () =>
      member.time('GET', '/activities', (body) => {
        seen = Number(/<version type="integer">(\d+)</.exec(body)?.[1]);
      }),
    'poll activities when nothing is new': () => member.time('GET', news()),
    'the ten newest activities of a team at rest, after others changed something': () =>
      atRest.time('GET', '/activities'),
    'poll the activities of each and every project': () => inAll.time('GET', news(seen - 1)),
  };
  return {
    do: (step) => steps[step](),
    end: () => {
      member.end();
      inAll.end();
      atRest.end();
    },
  };
}

function anyMove({ id, firstWaiting, waiting }: AskedProject): string {
  const moved = Math.floor(Math.random() * waiting);
  const target = (moved + 1 + Math.floor(Math.random() * (waiting - 1))) % waiting;
  const place = Math.random() < 0.5 ? 'before' : 'after';
  return `/projects/${id}/stories/${firstWaiting + moved}/moves?move[move]=${place}&move[target]=${firstWaiting + target}`;
}
