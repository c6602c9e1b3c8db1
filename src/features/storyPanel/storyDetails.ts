import type { Story, Ticket } from '../../core/story.ts';
import { escaped, isolated } from './escaped.ts';
import type { PanelTexts } from './panelTexts.ts';
import { linkTo } from './plainText.ts';

/** Who and when, dates as the server wrote them. */
export function storyDetails(story: Story, texts: PanelTexts): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    [texts.owner, isolated(story.ownedBy ?? texts.nobody)],
    [texts.requester, story.requestedBy && isolated(story.requestedBy)],
    [texts.labels, labelList(story.labels)],
    [texts.ticket, story.ticket && ticketText(story.ticket)],
    [texts.deadline, story.deadline && isolated(story.deadline.text)],
    [texts.created, story.createdAt && isolated(story.createdAt.text)],
    [texts.updated, story.updatedAt && isolated(story.updatedAt.text)],
    [texts.accepted, story.acceptedAt && isolated(story.acceptedAt.text)],
  ];
  const shown = rows.flatMap(([name, html]) => (html ? [`<dt>${escaped(name)}</dt><dd>${html}</dd>`] : []));
  return `<h2>${escaped(texts.details)}</h2><dl>${shown.join('')}</dl>`;
}

function labelList(labels: readonly string[]): string | undefined {
  if (labels.length === 0) return undefined;
  return `<ul class="labels">${labels.map((label) => `<li>${isolated(label)}</li>`).join('')}</ul>`;
}

function ticketText({ prefix, externalId, url }: Ticket): string {
  return `<bdi>${linkTo(url, externalId)}</bdi> <span class="quiet">${isolated(prefix)}</span>`;
}
