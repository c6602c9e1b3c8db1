import type { Project } from '../../core/story/project.ts';
import { visibleLine, withoutControls } from '../../core/text.ts';

/** What a row of a list has room for, and a sentence in the status bar; servers name things as long as they like. */
const LONGEST_ROW = 1000;

/**
 * A text of others for a list to pick from or for the status bar: on one line, with nothing in it that hides or turns text. VS Code
 * draws `$(name)` there as an icon, and does not find it by its words. A word joiner, which nobody sees, keeps it as it was written.
 */
export function withoutIcons(text: string): string {
  return visibleLine(text, LONGEST_ROW).replaceAll('$(', '$\u2060(');
}

/**
 * VS Code makes `[words](command:…)` in notifications and below input boxes a link that runs a command. What servers and
 * files are called must not do that, so the brackets are parted.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u2060(');
}

export { withoutControls };

/** A server's text on one line, in a row or a sentence. */
export function plainLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

const LONGEST_TITLE = 200;

/** A server's text within a title, which knows no markup: short, and isolated by characters. */
export function isolatedInTitle(text: string): string {
  return `\u2068${visibleLine(text, LONGEST_TITLE)}\u2069`;
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size as people read it, in steps of 1024: "0 B", "1.5 KB", "12 MB". */
export function byteText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  const digits = step > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[step]}`;
}

/** The initials of a person as the project's members list gives them, else made from the name. */
export function initialsOf(name: string, project: Project | undefined): string {
  const member = project?.memberships.find(({ person }) => person.name === name);
  return member?.person.initials ?? initialsFrom(name);
}

function initialsFrom(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter((word) => word !== '');
  return words
    .slice(0, 3)
    .map((word) => word.slice(0, 1).toLocaleUpperCase())
    .join('');
}
