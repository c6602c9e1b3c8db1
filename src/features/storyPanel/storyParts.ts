import { isPendingNote } from '../../core/intents/comment.ts';
import { isPendingTask } from '../../core/intents/newTask.ts';
import { MAX_COMMENTS_OF_STORY, MAX_TEXT } from '../../core/limits.ts';
import { commitOf, isUnsentCommit, type ShownCommit } from '../../core/outbox/withUnsentIntents.ts';
import type { Attachment } from '../../core/story/attachment.ts';
import { type Note, olderPartsOf, type Story, type Task } from '../../core/story/story.ts';
import { withoutControls } from '../../host/shell/plainText.ts';
import { attachmentDetails } from '../../host/story/attachmentFacts.ts';
import { escaped, isolated, lineOf, linkTo, plainText, shownTime } from './html.ts';
import { type ListName, type ListWindows, newestOfAll, shortened, type Windowed, windowed } from './listWindow.ts';
import { renderMarkdown } from './markdown.ts';
import type { Parts } from './panelMessages.ts';
import type { PanelProject, PanelTexts } from './panelTexts.ts';
import { writtenFields } from './storyFields.ts';
import { storyDetails, storyHead, writeButton } from './storyHead.ts';

/** Characters of a commit's id. */
const HASH = 8;

/** What is shown of each list of a story. */
interface ShownLists {
  readonly tasks: Windowed<Task>;
  readonly comments: Windowed<Note>;
  readonly attachments: Windowed<Attachment>;
  readonly commits: Windowed<Note>;
}

/** Only the newest comments are looked at: there may be more than anyone can wait for. */
export function shownLists(story: Story, windows: ListWindows = newestOfAll): ShownLists {
  const notes = story.notes.slice(-MAX_COMMENTS_OF_STORY);
  const isCommit = (note: Note) => shownCommit(note) !== undefined;
  const lengthOf = ({ text }: Note) => text.length;
  const comments = notes.filter((note) => !isCommit(note));
  return {
    tasks: windowed(story.tasks, windows.tasks, ({ description }) => description.length),
    comments: windowed(comments, windows.comments, lengthOf),
    attachments: windowed(story.attachments, windows.attachments, ({ filename }) => filename.length),
    commits: windowed(notes.filter(isCommit), windows.commits, lengthOf),
  };
}

/**
 * The story as the pieces of HTML that the page shows; an empty one is left out. Nothing in it is the server's markup. However
 * much a server tells, the pieces are short: of lists a part is shown, of texts the beginning.
 */
export function storyParts(
  story: Story,
  project: PanelProject,
  texts: PanelTexts,
  lists: ShownLists = shownLists(story),
): Parts {
  const { tasks, comments, attachments, commits } = lists;
  const unread = Math.max(0, story.notes.length - MAX_COMMENTS_OF_STORY) + olderPartsOf(story).notes;
  const parts: Parts = {
    head: storyHead(story, project, texts),
    description: descriptionPart(story, project, texts),
    tasks: tasksPart(story, tasks, texts),
    comments: notesPart(comments, unread, texts),
    details: storyDetails(story, project, texts),
    attachments: attachmentsPart(story, attachments, texts),
    commits: commits.items.length === 0 ? '' : commitsPart(commits, texts),
  };
  return mapped(parts, withoutControls);
}

const looked = new WeakMap<Note, ShownCommit | 'none'>();

/** As `commitOf`, once for each comment, by its beginning. */
function shownCommit(note: Note): ShownCommit | undefined {
  const known = looked.get(note);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const commit = commitOf(isUnsentCommit(note) ? note : { ...note, text: shortened(note.text).text });
  looked.set(note, commit ?? 'none');
  return commit;
}

function mapped(parts: Parts, change: (html: string) => string): Parts {
  const { head, description, tasks, comments, details, attachments, commits } = parts;
  return {
    head: change(head),
    description: change(description),
    tasks: change(tasks),
    comments: change(comments),
    details: change(details),
    attachments: change(attachments),
    commits: change(commits),
  };
}

function descriptionPart(story: Story, project: PanelProject, texts: PanelTexts): string {
  const write = writtenFields(story, project).includes('description') ? writeButton('description', texts) : '';
  const title = `<div class="title"><h2>${escaped(texts.description)}</h2>${write}</div>`;
  return `${title}${renderedDescription(story.description ?? '', texts)}`;
}

function renderedDescription(description: string, texts: PanelTexts): string {
  const { text, more } = shortened(description, MAX_TEXT);
  const html = text.trim() ? renderMarkdown(text) : `<p class="quiet">${escaped(texts.noDescription)}</p>`;
  return `<div class="markdown">${html}</div>${cutText(more, texts)}`;
}

/** A description that is being written, as it will be shown. */
export function previewOf(description: string, texts: PanelTexts): string {
  return withoutControls(renderedDescription(description, texts));
}

/** Nothing where all of a text is shown. */
function cutText(more: number, texts: PanelTexts): string {
  return more === 0 ? '' : `<p class="quiet">${escaped(texts.moreCharacters(more))}</p>`;
}

/** A list with what leads to the items that are not shown; `onServer` of them are not known here. */
function listPart(
  name: ListName,
  className: string,
  { older, newer }: Windowed<unknown>,
  rows: readonly string[],
  texts: PanelTexts,
  onServer = 0,
): string {
  const button = (does: 'older' | 'newest', text: string) =>
    `<button type="button" class="link" data-do="${does}" data-list="${name}" data-key="${does}-${name}">${escaped(text)}</button>`;
  const before = older > 0 ? `<div class="row">${button('older', texts.showOlder[name](older))}</div>` : '';
  const rest = older === 0 && onServer > 0 ? `<p class="quiet">${escaped(texts.onServer(onServer))}</p>` : '';
  const after = newer > 0 ? `<div class="row">${button('newest', texts.showNewest[name])}</div>` : '';
  const isPart = older + newer > 0;
  const focusable = isPart ? ` tabindex="-1" data-key="list-${name}"` : '';
  const list = rows.length === 0 ? '' : `<ul class="${className}"${focusable}>${rows.join('')}</ul>`;
  return `${rest}${before}${list}${after}`;
}

function tasksPart(story: Story, shown: Windowed<Task>, texts: PanelTexts): string {
  const onServer = olderPartsOf(story).tasks;
  if (shown.items.length === 0) return '';
  const done = story.tasks.filter(({ complete }) => complete).length;
  const rows = shown.items.map(({ id, description, complete }) => {
    const { text, more } = shortened(description);
    const words = `${escaped(text)}${more > 0 ? '…' : ''}`;
    if (isPendingTask({ id })) {
      const unsent = `<span class="quiet">${escaped(texts.notSentYet)}</span>`;
      return `<li><label><input type="checkbox" disabled><span dir="auto">${words} ${unsent}</span></label></li>`;
    }
    const box = `<input type="checkbox" data-task="${id}" data-key="task-${id}"${complete ? ' checked' : ''}>`;
    return `<li><label>${box}<span dir="auto"${complete ? ' class="done"' : ''}>${words}</span></label></li>`;
  });
  const title = texts.tasks(done, story.tasks.length);
  return `<h2>${escaped(title)}</h2>${listPart('tasks', 'tasks', shown, rows, texts, onServer)}`;
}

function notesPart(shown: Windowed<Note>, onServer: number, texts: PanelTexts): string {
  const rows = shown.items.map((note) => {
    const { author, notedAt } = note;
    const { text, more } = shortened(note.text);
    const words = `${plainText(text)}${cutText(more, texts)}`;
    if (isPendingNote(note)) {
      return `<li><div class="by"><span class="quiet">${escaped(texts.notSentYet)}</span></div>${words}</li>`;
    }
    const by = author === undefined ? '' : `<strong>${isolated(author)}</strong> `;
    const at = notedAt === undefined ? '' : `<span class="quiet">${shownTime(notedAt)}</span>`;
    return `<li><div class="by">${by}${at}</div>${words}</li>`;
  });
  return `<h2>${escaped(texts.comments(countOf(shown)))}</h2>${listPart('comments', 'notes', shown, rows, texts, onServer)}`;
}

function countOf({ items, older, newer }: Windowed<unknown>): number {
  return items.length + older + newer;
}

/** Each with its id, which leads to its page where it has one, and whether the server has it. */
function commitsPart(shown: Windowed<Note>, texts: PanelTexts): string {
  const rows = shown.items.flatMap((note) => {
    const commit = shownCommit(note);
    if (!commit) return [];
    const { hash, url, state, problem } = commit;
    const { text, more } = shortened(note.text);
    const id = hash === undefined ? '' : `<code>${linkTo(url, hash.slice(0, HASH))}</code> `;
    const by = note.author === undefined ? '' : `<strong>${isolated(note.author)}</strong> `;
    const words = [texts.commitStates[state], problem].flatMap((fact) => (fact ? [isolated(fact)] : []));
    const facts = note.notedAt ? [...words, shownTime(note.notedAt)] : words;
    const look = `<span class="quiet" data-commit="${state}">${facts.join(' · ')}</span>`;
    return [`<li><div class="by">${id}${by}${look}</div>${plainText(text)}${cutText(more, texts)}</li>`];
  });
  return `<h2>${escaped(texts.commits(countOf(shown)))}</h2>${listPart('commits', 'notes', shown, rows, texts)}`;
}

function attachmentsPart(story: Story, shown: Windowed<Attachment>, texts: PanelTexts): string {
  const rows = shown.items.map((attachment) => {
    const { id } = attachment;
    const filename = lineOf(attachment.filename);
    const facts = attachmentDetails(attachment);
    const told = facts === '' ? '' : `<div class="quiet">${isolated(facts)}</div>`;
    const button = (does: string, text: string, spoken: string) =>
      `<button type="button" class="link" data-do="${does}" data-id="${id}" data-key="${does}-${id}" aria-label="${escaped(spoken)}">${escaped(text)}</button>`;
    const open = button('openAttachment', texts.open, texts.openNamed(filename));
    const save = button('saveAttachment', texts.save, texts.saveNamed(filename));
    return `<li><div>${isolated(filename)}</div>${told}<div class="row">${open}${save}</div></li>`;
  });
  const onServer = olderPartsOf(story).attachments;
  const list = listPart('attachments', 'files', shown, rows, texts, onServer);
  const button = (does: string, text: string) =>
    `<button type="button" class="secondary" data-do="${does}" data-key="${does}">${escaped(text)}</button>`;
  const saveAll = story.attachments.length > 1 ? button('saveAllAttachments', texts.saveAll) : '';
  const buttons = `<div class="row">${button('attach', texts.attach)}${saveAll}</div>`;
  return `<h2>${escaped(texts.attachments(story.attachments.length))}</h2>${list}${buttons}`;
}
