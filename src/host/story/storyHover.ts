import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { stateWord, typeWord } from '../../core/backlog/stateWords.ts';
import { dayText, type ZonedDate } from '../../core/calendar.ts';
import type { Story } from '../../core/story/story.ts';
import { visibleLine, withoutControls } from '../../core/text.ts';
import { plainMarkdown } from '../shell/html.ts';
import { estimateText } from './estimatedEdit.ts';
import { fieldLabels, HOVER_FIELDS, type LabelledField } from './fieldLabels.ts';
import { type HoverLinks, hoverMarkdown } from './hoverMarkdown.ts';
import { storyLabel } from './storyLabel.ts';

const DESCRIPTION_SHOWN = 600;
const LONGEST_LINE = 300;

/**
 * What is shown when the pointer rests on a story. Of the server's text only the description is Markdown, which is made harmless;
 * with `links` it leads to the stories that it mentions. `server` is told where it is not the only one.
 */
export function storyHover(story: Story, links?: HoverLinks, server?: string): vscode.MarkdownString {
  const lines = [...linesOf(story), ...(server === undefined ? [] : [server])].map((line) =>
    plainMarkdown(visibleLine(line, LONGEST_LINE)),
  );
  const facts = [`**${plainMarkdown(storyLabel(story))}**`, ...lines].join('\n\n');
  return hoverOf(links, facts, markdownOf(story.description ?? '', links));
}

/** As `storyHover`, when the pointer rests on a task or a comment: its Markdown, and below it who wrote it when. */
export function textHover(text: string, by = '', links?: HoverLinks): vscode.MarkdownString {
  return hoverOf(links, markdownOf(text, links), plainMarkdown(visibleLine(by, LONGEST_LINE)));
}

function hoverOf(links: HoverLinks | undefined, ...parts: readonly string[]): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(parts.filter((part) => part !== '').join('\n\n---\n\n'));
  // Links are made here, so that no other command is among them; VS Code makes sure of that once more.
  hover.isTrusted = links ? { enabledCommands: [commandIds.openStory] } : false;
  hover.supportHtml = false;
  return hover;
}

function markdownOf(text: string, links: HoverLinks | undefined): string {
  return hoverMarkdown(withoutControls(shortened(text)), links);
}

function linesOf(story: Story): readonly string[] {
  const { id, type, state, requestedBy, ownedBy, labels, ticket } = story;
  const names = fieldLabels(vscode);
  const line = (field: LabelledField, text: string) => vscode.l10n.t('{0}: {1}', names[field], text);
  const joined = (...parts: readonly (string | undefined)[]) => parts.filter((part) => part).join(' · ');
  return [
    joined(`#${id}`, typeWord(type), stateWord(state), estimateText(story)),
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
