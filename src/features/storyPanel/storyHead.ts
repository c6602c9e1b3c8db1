import { stateWord, typeWord } from '../../core/backlog/stateWords.ts';
import { isEstimatable, nextActions, statesOf } from '../../core/backlog/workflow.ts';
import type { ZonedDate } from '../../core/calendar.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import { MAX_LABELS_OF_STORY, MAX_TEXT } from '../../core/limits.ts';
import { type Story, type Ticket, UNESTIMATED } from '../../core/story/story.ts';
import { isPlainField, type LabelledField, type PlainField } from '../../host/story/fieldLabels.ts';
import { iconOfType } from '../../host/story/storyIcons.ts';
import { escaped, isolated, lineOf, linkTo, shownTime } from './html.ts';
import { shortened } from './listWindow.ts';
import { commandButton } from './pageShell.ts';
import type { StoryCommand } from './panelMessages.ts';
import type { PanelTexts } from './panelTexts.ts';
import { writtenFields } from './storyFields.ts';
import type { PanelProject } from './storyProject.ts';

// By codicon, and drawn here, since the page loads nothing.
const shapes: Readonly<Record<string, string>> = {
  'star-full': 'M8 1.5l2 4.3 4.7.6-3.4 3.2.9 4.7L8 12l-4.2 2.3.9-4.7L1.300 6.400l4.700-.6z',
  bug: 'M8 2a3 3 0 0 0-3 3h6a3 3 0 0 0-3-3zM4.500 6h7v4.500a3.500 3.500 0 0 1-7 0zM1.500 5l2.500 1.500v1L1.500 6zM14.500 5L12 6.500v1L14.500 6zM1.500 13L4 11v1l-2.500 2zM14.500 13L12 11v1l2.500 2zM1 9h3v1H1zM12 9h3v1h-3z',
  gear: 'M7 1h2l.4 2 1.300.6 1.800-1 1.400 1.400-1 1.800.6 1.300 2 .4v2l-2 .4-.6 1.300 1 1.800-1.400 1.400-1.800-1-1.300.6L9 15H7l-.4-2-1.300-.6-1.800 1-1.400-1.400 1-1.800-.6-1.300L.5 8.500v-2l2-.4.6-1.300-1-1.800L3.500 1.600l1.800 1L6.600 2zM8 5.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z',
  rocket:
    'M8 1c2 1.600 3 3.800 3 6.200 0 1-.2 1.900-.5 2.800h-5C5.200 9.100 5 8.200 5 7.200 5 4.800 6 2.600 8 1zM8 4.700a1.400 1.400 0 1 0 0 2.800 1.400 1.400 0 0 0 0-2.800zM4.300 8L2.500 10v3.500l2.200-1.700C4.400 10.500 4.300 9.300 4.300 8zM11.700 8c0 1.300-.1 2.500-.4 3.800l2.200 1.700V10zM6.300 11h3.400L8 15z',
};
const plainShape = 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z';

/** Number, name, what it is, and what can be done next: nothing before a server has the story. */
export function storyHead(story: Story, project: PanelProject, texts: PanelTexts): string {
  const { text } = shortened(story.name, MAX_TEXT);
  const name = text.trim() === '' ? escaped(texts.untitled) : `<bdi>${escaped(text)}</bdi>`;
  const write = writtenFields(story, project).includes('name') ? writeButton('name', texts) : '';
  const title = `<div class="title"><h1>${name}</h1>${write}</div>`;
  const points = pointsText(story, texts);
  const facts = [
    `<li class="state" data-state="${escaped(lineOf(story.state))}">${isolated(stateWord(story.state))}</li>`,
    `<li>${isolated(typeWord(story.type))}</li>`,
    ...(points === undefined ? [] : [`<li>${escaped(points)}</li>`]),
  ];
  const isPending = isPendingStory(story);
  const number = isPending ? escaped(texts.notSentYet) : `#${story.id}`;
  const actions = isPending
    ? `<p class="quiet">${escaped(texts.unsentStory)}</p>`
    : storyActions(story, project, texts);
  const where = [
    ...(project.name === undefined ? [] : [isolated(project.name)]),
    ...(project.place ? [escaped(texts.writing.place(project.place))] : []),
  ];
  const kicker = [number, ...where].map((text) => `<span>${text}</span>`).join('');
  return `<div class="kicker">${typeIcon(story.type)}${kicker}</div>${title}<ul class="facts">${facts.join('')}</ul>${actions}`;
}

/** Leads to where a text of the story is written. */
export function writeButton(field: 'name' | 'description', { writing }: PanelTexts): string {
  return `<button type="button" class="link write" data-write="${field}" data-key="write-${field}" aria-label="${escaped(writing.writeNamed[field])}">${escaped(writing.write)}</button>`;
}

function pointsText({ estimate }: Story, texts: PanelTexts): string | undefined {
  if (estimate === undefined) return undefined;
  return estimate === UNESTIMATED ? texts.unestimated : texts.points(estimate);
}

function typeIcon(type: string): string {
  const icon = iconOfType(type);
  const shape = shapes[icon] ?? plainShape;
  return `<svg class="type" data-icon="${icon}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path fill="currentColor" fill-rule="evenodd" d="${shape}"/></svg>`;
}

/** What the row of actions is made of. */
interface ActionButton {
  readonly key: string;
  readonly text: string;
  /** What the page says when it is pressed, as attributes. */
  readonly does: string;
  readonly isMain?: boolean;
}

/**
 * Start, what is needed to commit, the next state, and every other state. Starting and finishing are the commands *Start Story…* and
 * *Finish Story…*, with owner and branch, so no button sets those states alone. Those that want an estimate first are there too: it is asked for.
 */
function storyActions(story: Story, project: PanelProject, texts: PanelTexts): string {
  const mayStart = statesOf(story.type).includes('started') && story.state !== 'accepted';
  const next = nextButtons(story, project, texts);
  const isBegun = next.length > 0;
  const start: ActionButton = { ...commandAction('startStory', texts.start), isMain: !isBegun };
  const estimate = commandAction('estimateStory', texts.estimate);
  const browser: ActionButton = { key: 'browser', text: texts.openInBrowser, does: 'data-do="browser"' };
  const buttons = [
    ...(mayStart ? [start] : []),
    commandAction('insertMarker', texts.insertMarker),
    commandAction('linkCommits', texts.linkCommits),
    ...next,
    ...(statesOf(story.type).length > 0 ? [commandAction('changeState', texts.changeState)] : []),
    ...(isEstimatable(story.type, project) ? [estimate] : []),
    ...(story.url === undefined ? [] : [browser]),
  ];
  return `<div class="actions" role="group" tabindex="-1" aria-label="${escaped(texts.actions)}">${buttons.map(buttonHtml).join('')}</div>`;
}

function nextButtons(story: Story, project: PanelProject, texts: PanelTexts): readonly ActionButton[] {
  const estimated = isEstimatable(story.type, project)
    ? { ...story, estimate: Math.max(0, story.estimate ?? 0) }
    : story;
  return nextActions(estimated, project)
    .filter(({ state }) => state !== 'started')
    .map(({ action, state }, index) => ({
      ...(action === 'finish' ? commandAction('finishStory', texts.action.finish) : stateAction(action, state, texts)),
      isMain: index === 0,
    }));
}

function stateAction(action: keyof PanelTexts['action'], state: string, texts: PanelTexts): ActionButton {
  return { key: action, text: texts.action[action], does: `data-do="state" data-state="${state}"` };
}

function commandAction(name: StoryCommand, text: string): ActionButton {
  return { key: name, text, does: `data-do="command" data-command="${name}"` };
}

function buttonHtml({ key, text, does, isMain = false }: ActionButton): string {
  return `<button type="button" ${does} data-key="${key}"${isMain ? '' : ' class="secondary"'}>${escaped(text)}</button>`;
}

/** What is not written in a control of the page: when, and the ticket with what can be done about it. */
export function storyDetails(story: Story, project: PanelProject, texts: PanelTexts): string {
  const written: readonly string[] = writtenFields(story, project);
  const widgets: Readonly<Record<Exclude<LabelledField, PlainField>, string | undefined>> = {
    ownedBy: written.includes('ownedBy') ? undefined : isolated(story.ownedBy ?? texts.nobody),
    labels: labelList(story.labels, written.includes('labels'), texts),
    ticket: ticketRow(story.ticket, project, texts),
  };
  const plain = (field: PlainField) => (written.includes(field) ? undefined : plainValue(story[field]));
  const shown = fieldNames(texts.fields).flatMap((field) => {
    const html = isPlainField(field) ? plain(field) : widgets[field];
    return html === undefined ? [] : [`<dt>${escaped(texts.fields[field])}</dt><dd>${html}</dd>`];
  });
  return shown.length === 0 ? '' : `<dl>${shown.join('')}</dl>`;
}

function plainValue(value: ZonedDate | string | number | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  return typeof value === 'object' ? shownTime(value) : isolated(value);
}

/** Only how many there are besides, where the others are in a control. */
function labelList(labels: readonly string[], isWritten: boolean, texts: PanelTexts): string | undefined {
  const shown = labels.slice(0, MAX_LABELS_OF_STORY);
  const more = labels.length - shown.length;
  const rest = more > 0 ? `<p class="quiet">${escaped(texts.moreLabels(more))}</p>` : '';
  const items = shown.map((label) => `<li>${isolated(label)}</li>`).join('');
  const list = isWritten || items === '' ? '' : `<ul class="labels">${items}</ul>`;
  return `${list}${rest}` || undefined;
}

/** Nothing where there is neither a ticket nor a system that has any. */
function ticketRow(
  ticket: Ticket | undefined,
  { integrations = [] }: PanelProject,
  texts: PanelTexts,
): string | undefined {
  if (!ticket && !integrations.some(({ active }) => active)) return undefined;
  const link = ticket
    ? commandButton('linkTicket', texts.edit, texts.editTicket)
    : commandButton('linkTicket', texts.link, texts.linkTicket);
  if (!ticket) return row(link);
  const open = commandButton('openTicket', texts.open, texts.openTicket);
  const unlink = commandButton('unlinkTicket', texts.unlink, texts.unlinkTicket);
  return `${ticketText(ticket)}${row(...(ticket.url === undefined ? [] : [open]), link, unlink)}`;
}

const row = (...buttons: readonly string[]) => `<div class="row">${buttons.join('')}</div>`;

function ticketText({ prefix, externalId, url }: Ticket): string {
  return `<bdi>${linkTo(url, lineOf(externalId))}</bdi> <span class="quiet">${isolated(prefix)}</span>`;
}
