import * as vscode from 'vscode';
import type { MarkerVerb } from '../../core/marker/markerSyntax.ts';

// Read when a feature is used; `settings.ts` has what the window reads at its beginning.

const section = (scope?: vscode.Uri) => vscode.workspace.getConfiguration('storyTracker', scope);

/** Verb of the markers that we write, as set for the folder of `scope`. */
export function commitVerb(scope?: vscode.Uri): MarkerVerb {
  const verb = section(scope).get<string>('commit.verb');
  return verb === 'finishes' || verb === 'delivers' || verb === '' ? verb : 'fixes';
}

/** Where markers are put in commit messages, as set for the folder of `scope`; `fitting`: behind a subject that stays short. */
export function markerPlace(scope?: vscode.Uri): 'subject' | 'fitting' | 'body' {
  const place = section(scope).get<string>('commit.markerPlace');
  return place === 'fitting' || place === 'body' ? place : 'subject';
}

/** Whether commit messages are told what they name and what in them will not work, as set for the folder of `scope`. */
export function areHintsWished(scope?: vscode.Uri): boolean {
  return section(scope).get<boolean>('commit.hints') !== false;
}

/** What becomes of the active story's marker in commit boxes, as set for the folder of `scope`. */
export function insertActive(scope?: vscode.Uri): 'offer' | 'always' | 'never' {
  const wish = section(scope).get<string>('commit.insertActive');
  return wish === 'always' || wish === 'never' ? wish : 'offer';
}

/** Whether the markers of a commit message stay when another message takes its place, as set for the folder of `scope`. */
export function areMarkersKept(scope?: vscode.Uri): boolean {
  return section(scope).get<boolean>('commit.keepMarker') !== false;
}

/** How the branches of stories are named, as set for the folder of `scope`. */
export function branchTemplate(scope?: vscode.Uri): string {
  return section(scope).get<string>('branchTemplate') ?? '';
}

/** The branch that those of stories begin at, as set for the folder of `scope`; empty for the default one of the remote. */
export function baseBranchWish(scope?: vscode.Uri): string {
  return (section(scope).get<string>('baseBranch') ?? '').trim();
}

/** The folder that worktrees are put into, as set for the folder of `scope`; empty for one beside the repository. */
export function worktreeFolderWish(scope?: vscode.Uri): string {
  return section(scope).get<string>('worktreeFolder') ?? '';
}

/** Whether editors are put away with the story for which they were opened. */
export function areEditorsPerStory(): boolean {
  return section().get<boolean>('editorsPerStory') === true;
}

/** The largest file that may be attached, in bytes; no end where nobody set one, since servers tell none. */
export function attachmentLimit(): number {
  const megabytes = section().get<number>('attachmentLimit');
  return typeof megabytes === 'number' && megabytes > 0 ? megabytes * 1024 * 1024 : Number.POSITIVE_INFINITY;
}

/** Seconds between checks for changes while someone works in this window; 0 for none. */
export function pollSeconds(): number {
  const seconds = section().get<number>('pollSeconds');
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : 30;
}

/** What the description of a new story of this type begins with. */
export function storyTemplate(type: string): string | undefined {
  const templates = section().get<object>('storyTemplates') ?? {};
  const [, template] = Object.entries(templates).find(([name]) => name === type) ?? [];
  return typeof template === 'string' && template.trim() !== '' ? template : undefined;
}

/** Words that mark in code what is to be done, as set for the folder of `scope`. */
export function todoWords(scope?: vscode.Uri): readonly string[] {
  const words = section(scope).get<readonly unknown[]>('todoWords');
  return Array.isArray(words) ? words.map(String).filter((word) => word.trim() !== '') : [];
}

/** Where numbers of stories may be links. */
const linkPlaces = ['terminal', 'markdown', 'comments', 'history'] as const;
export type LinkPlace = (typeof linkPlaces)[number];

/** Whether numbers of stories are links in such a place, as set for the folder of `scope`. */
export function isLinkPlace(place: LinkPlace, scope?: vscode.Uri): boolean {
  const places = section(scope).get<readonly unknown[]>('codeLinks');
  return Array.isArray(places) && places.includes(place);
}
