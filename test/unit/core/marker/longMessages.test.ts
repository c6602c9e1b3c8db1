import assert from 'node:assert/strict';
import { isMadeOf, standingMarkers, withStandingMarker, withTurn } from '../../../../src/core/marker/commitBox.ts';
import { activeStoryHint, commitHints, namedStories, type StoryFact } from '../../../../src/core/marker/commitHints.ts';
import { withMarker } from '../../../../src/core/marker/withMarker.ts';
import { withoutMarker, withStoryReplaced } from '../../../../src/core/marker/withoutMarker.ts';
import { mentionsInMessage } from '../../../../src/core/mentions/mentionsInText.ts';
import { growth } from '../../../support/measures/growth.ts';

const options = { commentChar: '#', verb: 'fixes' } as const;
/** Every third story is accepted, and every third nobody's. */
const facts: ReadonlyMap<number, StoryFact> = new Map(
  Array.from({ length: 20_000 }, (_, id) => [
    id,
    ([{ state: 'started' }, { state: 'accepted' }, 'unknown'] as const)[id % 3] ?? 'unknown',
  ]),
);

const works: Readonly<Record<string, (message: string) => unknown>> = {
  'finding the stories': (message) => namedStories(message, '#'),
  'finding what to tell': (message) => commitHints(message, facts, options),
  'looking for the active story': (message) => activeStoryHint(message, 7, options),
  'putting a marker in': (message) => withMarker(message, [7], { verb: 'delivers' }),
  'putting many into one marker': (message) => withMarker(message, idsIn(message), { verb: '' }),
  'taking all markers out': (message) => withoutMarker(message),
  'taking one story out': (message) => withoutMarker(message, [1]),
  'replacing a story': (message) => withStoryReplaced(message, 1, 2, '#'),
  'turning to another story': (message) => withTurn(message, { from: 1, to: 2, options }),
  'keeping markers': (message) => [standingMarkers(message), withStandingMarker(message, { verb: '', ids: [7] }, {})],
  'comparing it with a commit': (message) => isMadeOf(`${message}\n\nMore.`, message),
  'finding mentions': (message) => mentionsInMessage(message),
};

/** Lines and words of which long messages are made; `index` counts them. */
const pieces: readonly ((index: number) => string)[] = [
  () => '#1 ',
  (index) => `#${index} `,
  () => '[#1]\n',
  () => '[#1] ',
  (index) => `[#${index}]\n`,
  (index) => `[fixes #${index}]\n#${index + 1}\n`,
  () => 'Closes: #1\n',
  () => '[ #1',
  () => '#1] ',
  () => '[x #1] ',
  (index) => `x (#${index})\n`,
  () => 'fixes #1 ',
  () => '# #1\n',
  () => '\n',
];

describe('a long commit message', function () {
  this.timeout(60_000);
  const made = (piece: (index: number) => string) => (size: number) => {
    let text = 'Sort\n\n';
    for (let index = 1; text.length < size; index += 1) text += piece(index);
    return `${text}x`;
  };

  for (const [name, work] of Object.entries(works)) {
    it(`takes time that grows with its length only: ${name}`, () => {
      for (const piece of pieces) assert.ok(growth(8_000, made(piece), work) <= 3.2, piece(1));
    });
  }

  it('with thousands of stories in one marker takes no longer', () => {
    const inOne = (size: number) => `Sort [${made((index) => `#${index} `)(size).slice(6, -1)}]`;
    for (const work of Object.values(works)) assert.ok(growth(24_000, inOne, work) <= 3.2);
  });
});

function idsIn(message: string): readonly number[] {
  return [...message.matchAll(/#(\d+)/g)].map(([, digits]) => Number(digits));
}
