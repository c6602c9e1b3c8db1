import * as vscode from 'vscode';
import type { ToldActivity } from '../../core/replica/replica.ts';
import type { Project } from '../../core/story/project.ts';
import { plainLine, withoutControls } from '../../host/shell/plainText.ts';
import { appendPlainText } from '../../host/story/storyHover.ts';
import { keyText } from '../../host/tree/nodes.ts';

const TEXT_SHOWN = 2000;

interface HoverContext {
  readonly language: string;
  readonly projects: ReadonlyMap<string, Project>;
}

/** The whole of what happened. All text of the server is escaped: it is data, not Markdown. */
export function activityHover({ activity, project }: ToldActivity, context: HoverContext): vscode.MarkdownString {
  const { author, description, occurredAt, stories } = activity;
  const hover = new vscode.MarkdownString();
  hover.isTrusted = false;
  hover.supportHtml = false;
  const text = withoutControls(description).trim();
  appendPlainText(hover, text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN)}…` : text);
  const when = occurredAt?.time === undefined ? occurredAt?.text : moment(occurredAt.time, context.language);
  const numbers = stories.map(({ id }) => `#${id}`).join(' ');
  const lines = [
    joined(author && plainLine(author), when && plainLine(when)),
    joined(numbers, plainLine(context.projects.get(keyText(project))?.name ?? '')),
  ];
  for (const line of lines.filter((one) => one !== '')) appendPlainText(hover.appendMarkdown('\n\n'), line);
  return hover;
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part).join(' · ');
}

function moment(time: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(time);
}
