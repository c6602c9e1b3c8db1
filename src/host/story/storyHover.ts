import * as vscode from 'vscode';
import { dayText, type ZonedDate } from '../../core/calendar.ts';
import type { Story } from '../../core/story/story.ts';
import { visibleLine, withoutControls } from '../../core/text.ts';
import { estimateText } from './estimatedEdit.ts';
import { fieldLabels, HOVER_FIELDS, type LabelledField } from './fieldLabels.ts';
import { markdownHtml } from './markdown.ts';
import { storyLabel } from './storyLabel.ts';

const DESCRIPTION_SHOWN = 600;
const LONGEST_LINE = 300;

/**
 * What is shown when the pointer rests on a story. All text of the server is escaped: it is data, not Markdown, but for the
 * description, which is made into HTML as in the tab. VS Code's own Markdown would load its images and open addresses of any kind.
 */
export function storyHover(story: Story): vscode.MarkdownString {
  const hover = new vscode.MarkdownString();
  hover.isTrusted = false;
  hover.supportHtml = true;
  appendPlainText(hover.appendMarkdown('**'), storyLabel(story)).appendMarkdown('**');
  for (const line of linesOf(story)) appendPlainText(hover.appendMarkdown('\n\n'), visibleLine(line, LONGEST_LINE));
  const description = shortened(story.description ?? '');
  if (description !== '') hover.appendMarkdown(`\n\n---\n\n${onOneLine(markdownHtml(description))}`);
  return hover;
}

/** HTML as Markdown leaves it as it is: a blank line would end it, and what follows be Markdown. Nothing in its words is any either. */
function onOneLine(html: string): string {
  const asEntity = (character: string) => `&#${character.codePointAt(0)};`;
  return withoutControls(html)
    .trim()
    .split(/(<[^>]*>)/)
    .map((part) => part.replace(part.startsWith('<') ? /\n/g : /[\n[\]()!*_`\\$~|]/g, asEntity))
    .join('');
}

function linesOf(story: Story): readonly string[] {
  const { id, type, state, requestedBy, ownedBy, labels, ticket } = story;
  const names = fieldLabels(vscode);
  const line = (field: LabelledField, text: string) => vscode.l10n.t('{0}: {1}', names[field], text);
  const joined = (...parts: readonly (string | undefined)[]) => parts.filter((part) => part).join(' · ');
  return [
    joined(`#${id}`, type, state, estimateText(story)),
    joined(
      requestedBy && vscode.l10n.t('Requested by {0}', requestedBy),
      ownedBy && vscode.l10n.t('Owned by {0}', ownedBy),
    ),
    labels.length > 0 ? line('labels', labels.join(', ')) : '',
    ...HOVER_FIELDS.map((field) => {
      const value = story[field];
      return value === undefined ? '' : line(field, plainText(value));
    }),
    ticket ? line('ticket', ticket.externalId) : '',
    joined(...partsOf(story)),
  ].filter((line) => line !== '');
}

function plainText(value: ZonedDate | string | number): string {
  return typeof value === 'object' ? dayText(value, vscode.env.language) : String(value);
}

function partsOf({ tasks, attachments, notes }: Story): readonly (string | undefined)[] {
  const done = tasks.filter(({ complete }) => complete).length;
  return [
    tasks.length > 0 ? vscode.l10n.t('Tasks: {0} of {1} done', done, tasks.length) : undefined,
    attachments.length > 0 ? vscode.l10n.t('Attachments: {0}', attachments.length) : undefined,
    notes.length > 0 ? vscode.l10n.t('Comments: {0}', notes.length) : undefined,
  ];
}

function shortened(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > DESCRIPTION_SHOWN ? `${trimmed.slice(0, DESCRIPTION_SHOWN).trimEnd()}…` : trimmed;
}

/** Appends text that is data, not Markdown; lines break between its words, as VS Code's own `appendText` does not let them. */
export function appendPlainText(hover: vscode.MarkdownString, text: string): vscode.MarkdownString {
  const escaped = new vscode.MarkdownString().appendText(text.replaceAll('&', '&amp;')).value;
  return hover.appendMarkdown(escaped.replaceAll('<', '&lt;').replaceAll(/(?:&nbsp;)+/g, ' '));
}
