import { MAX_LABELS_OF_STORY } from '../../core/limits.ts';
import type { Story, Ticket } from '../../core/story/story.ts';
import { commandButton } from './commandButton.ts';
import { escaped, isolated, lineOf } from './escaped.ts';
import type { PanelProject } from './panelProject.ts';
import type { PanelTexts } from './panelTexts.ts';
import { linkTo } from './plainText.ts';
import { shownTime } from './shownTime.ts';

/** Who and when, and what can be done about it. */
export function storyDetails(story: Story, project: PanelProject, texts: PanelTexts): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    [texts.owner, `${isolated(story.ownedBy ?? texts.nobody)}${ownerButtons(story, texts)}`],
    [texts.requester, story.requestedBy && isolated(story.requestedBy)],
    [
      texts.labels,
      `${labelList(story.labels, texts)}${row(commandButton('editLabels', texts.edit, texts.editLabels))}`,
    ],
    [texts.ticket, ticketRow(story.ticket, project, texts)],
    [texts.deadline, story.deadline && shownTime(story.deadline)],
    [texts.created, story.createdAt && shownTime(story.createdAt)],
    [texts.updated, story.updatedAt && shownTime(story.updatedAt)],
    [texts.accepted, story.acceptedAt && shownTime(story.acceptedAt)],
  ];
  const shown = rows.flatMap(([name, html]) => (html ? [`<dt>${escaped(name)}</dt><dd>${html}</dd>`] : []));
  return `<h2>${escaped(texts.details)}</h2><dl>${shown.join('')}</dl>`;
}

function labelList(labels: readonly string[], texts: PanelTexts): string {
  if (labels.length === 0) return '';
  const shown = labels.slice(0, MAX_LABELS_OF_STORY).map((label) => `<li>${isolated(label)}</li>`);
  const more = labels.length - shown.length;
  const rest = more > 0 ? `<p class="quiet">${escaped(texts.moreLabels(more))}</p>` : '';
  return `<ul class="labels">${shown.join('')}</ul>${rest}`;
}

function ownerButtons({ ownedBy }: Story, texts: PanelTexts): string {
  const own = commandButton('ownStory', texts.own, texts.ownStory);
  const assign = commandButton('assignStory', texts.assign, texts.assignStory);
  const giveUp = commandButton('giveStoryUp', texts.giveUp, texts.giveStoryUp);
  return row(own, assign, ...(ownedBy === undefined ? [] : [giveUp]));
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
