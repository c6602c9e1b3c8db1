import { visibleLine, withoutControls } from '../../../core/visibleText.ts';
import type { AssignedMail, AssignedStory } from './assignedMail.ts';
import { REPLY_MARKER } from '../mailMarker.ts';

/** Characters of a line, so that programs that quote it do not break it anew. */
const WIDTH = 72;
const LONGEST_DESCRIPTION = 20_000;

/** The assignment e-mail as plain text. */
export function assignedText(mail: AssignedMail): string {
  const { story, by, project, replyTo, preferencesUrl } = mail;
  const parts = [
    ...(replyTo === undefined ? [] : [`--- ${REPLY_MARKER} ---`]),
    `${visibleLine(by, WIDTH)} gave you a story${story.shown ? ` in ${visibleLine(project, WIDTH)}` : ''}:`,
    [...storyLines(story), story.url].join('\n'),
    ...(story.shown?.description ? [wrapped(shortened(story.shown.description))] : []),
    [
      ...(replyTo === undefined ? [] : ['Reply to this mail to comment on the story.']),
      `No more mails of this kind: ${preferencesUrl}`,
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function storyLines({ id, shown }: AssignedStory): readonly string[] {
  if (!shown) return [`Story #${id}`];
  return [wrapped(`#${id} ${visibleLine(shown.name, 500)}`), factsOf(shown)];
}

/** `feature, unstarted, 3 points` */
export function factsOf({ type, state, estimate }: NonNullable<AssignedStory['shown']>): string {
  const points = estimate === null ? [] : [`${estimate} ${estimate === 1 ? 'point' : 'points'}`];
  return [visibleLine(type, 40), visibleLine(state, 40), ...points].join(', ');
}

export function shortened(description: string): string {
  const text = withoutControls(description.slice(0, LONGEST_DESCRIPTION)).trim();
  return description.length > LONGEST_DESCRIPTION ? `${text}…` : text;
}

function wrapped(text: string): string {
  return text.split('\n').map(wrappedLine).join('\n');
}

/** Words longer than a line, such as addresses, stay whole. */
function wrappedLine(line: string): string {
  const lines: string[] = [];
  let current: string | undefined;
  for (const word of line.trimEnd().split(' ')) {
    const longer: string = current === undefined ? word : `${current} ${word}`;
    if (current === undefined || longer.length <= WIDTH) {
      current = longer;
    } else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current ?? ''].join('\n');
}
