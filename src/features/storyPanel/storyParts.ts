import { isPendingNote } from '../../core/intents/comment.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import { MAX_COMMENTS_OF_STORY, MAX_TEXT } from '../../core/limits.ts';
import { commitOf, type ShownCommit } from '../../core/outbox/withUnsentIntents.ts';
import type { Attachment } from '../../core/story/attachment.ts';
import { type Note, olderPartsOf, type Story, type Task } from '../../core/story/story.ts';
import { shortHash } from '../../core/text.ts';
import { withoutControls } from '../../host/shell/plainText.ts';
import { markdownHtml, noStoryLinks, type StoryLinks } from '../../host/story/markdown.ts';
import { attachmentOrigin } from '../../host/story/theAttachment.ts';
import { mayBeShown } from './attachedImages.ts';
import { escaped, isolated, lineOf, listPart, safeLink, shownTime } from './html.ts';
import { type ListWindows, newestOfAll, shortened, type Windowed, windowed } from './listWindow.ts';
import { type MarkdownWriter, plainWriter } from './markdown.ts';
import type { Parts } from './panelMessages.ts';
import type { PanelTexts } from './panelTexts.ts';
import { writtenFields } from './storyFields.ts';
import { storyDetails, storyHead, writeButton } from './storyHead.ts';
import { historyPart, noHistory, type StoryHistory } from './storyHistory.ts';
import type { PanelProject } from './storyProject.ts';
import { tasksPart } from './storyTasks.ts';

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

/** Items of each list of which one screen is full, whatever else is in it. */
const SCREENFUL = 8;

/** What of the lists is seen on the first screen. */
export function firstScreen(lists: ShownLists): ShownLists {
  const begun = <T>(shown: Windowed<T>): Windowed<T> => {
    const items = shown.items.slice(0, SCREENFUL);
    return { ...shown, items, awaited: shown.items.length - items.length };
  };
  return {
    tasks: begun(lists.tasks),
    comments: begun(lists.comments),
    attachments: begun(lists.attachments),
    commits: begun(lists.commits),
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
  history: StoryHistory = noHistory,
  markdown: MarkdownWriter = plainWriter,
): Parts {
  const { tasks, comments, attachments, commits } = lists;
  const unread = Math.max(0, story.notes.length - MAX_COMMENTS_OF_STORY) + olderPartsOf(story).notes;
  const parts: Parts = {
    head: storyHead(story, project, texts),
    description: descriptionPart(story, project, texts, markdown),
    tasks: tasksPart(story, tasks, texts, markdown),
    comments: notesPart(comments, unread, texts, markdown),
    details: storyDetails(story, project, texts),
    attachments: attachmentsPart(story, attachments, texts),
    commits: commits.items.length === 0 ? '' : commitsPart(commits, texts, markdown),
    history: historyPart(story.id, history, texts),
  };
  return mapped(parts, withoutControls);
}

const looked = new WeakMap<Note, ShownCommit | 'none'>();

/** As `commitOf`, once for each comment, by its beginning. */
function shownCommit(note: Note): ShownCommit | undefined {
  const known = looked.get(note);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const commit = commitOf(note);
  looked.set(note, commit ?? 'none');
  return commit;
}

function mapped(parts: Parts, change: (html: string) => string): Parts {
  return { ...parts, ...Object.fromEntries(Object.entries(parts).map(([name, html]) => [name, change(html)])) };
}

function descriptionPart(story: Story, project: PanelProject, texts: PanelTexts, markdown: MarkdownWriter): string {
  const write = writtenFields(story, project).includes('description') ? writeButton('description', texts) : '';
  const title = `<div class="title"><h2>${escaped(texts.description)}</h2>${write}</div>`;
  return `${title}${renderedDescription(story.description ?? '', texts, (text) => markdown.block(text))}`;
}

function renderedDescription(description: string, texts: PanelTexts, render: (text: string) => string): string {
  const { text, more } = shortened(description, MAX_TEXT);
  const html = text.trim() ? render(text) : `<p class="quiet">${escaped(texts.noDescription)}</p>`;
  return `<div class="markdown">${html}</div>${cutText(more, texts)}`;
}

/** A description that is being written, as it will be shown. */
export function previewOf(description: string, texts: PanelTexts, links: StoryLinks = noStoryLinks): string {
  return withoutControls(renderedDescription(description, texts, (text) => markdownHtml(text, links)));
}

/** Nothing where all of a text is shown. */
function cutText(more: number, texts: PanelTexts): string {
  return more === 0 ? '' : `<p class="quiet">${escaped(texts.moreCharacters(more))}</p>`;
}

function notesPart(shown: Windowed<Note>, onServer: number, texts: PanelTexts, markdown: MarkdownWriter): string {
  const rows = shown.items.map((note) => {
    const { author, notedAt } = note;
    const { text, more } = shortened(note.text);
    const words = `<div class="markdown">${markdown.block(text)}</div>${cutText(more, texts)}`;
    if (isPendingNote(note)) {
      return `<li><div class="by"><span class="quiet">${escaped(texts.notSentYet)}</span></div>${words}</li>`;
    }
    const by = author === undefined ? '' : `<strong>${isolated(author)}</strong> `;
    const at = notedAt === undefined ? '' : `<span class="quiet">${shownTime(notedAt)}</span>`;
    return `<li><div class="by">${by}${at}</div>${words}</li>`;
  });
  return `<h2>${escaped(texts.comments(countOf(shown)))}</h2>${listPart('comments', 'notes', shown, rows, texts, onServer)}`;
}

function countOf({ items, older, newer, awaited = 0 }: Windowed<unknown>): number {
  return items.length + older + newer + awaited;
}

function commitLink(hash: string, url: string | undefined): string {
  const page = url === undefined ? undefined : safeLink(url);
  const [id, address] = [escaped(hash), escaped(page ?? '#')];
  return `<a href="${address}" title="${page === undefined ? id : address}" data-hash="${id}">${escaped(shortHash(hash))}</a>`;
}

/** Each with its id, which leads to its changes or its page, and whether the server has it. */
function commitsPart(shown: Windowed<Note>, texts: PanelTexts, markdown: MarkdownWriter): string {
  const rows = shown.items.flatMap((note) => {
    const commit = shownCommit(note);
    if (!commit) return [];
    const { hash, url, state, problem, message, author = note.author } = commit;
    const { text, more } = shortened(message);
    const id = hash === undefined ? '' : `<code>${commitLink(hash, url)}</code> `;
    const by = author === undefined ? '' : `<strong>${isolated(author)}</strong> `;
    // Whoever commits chooses the name; the server tells who linked it.
    const isOther = state === 'linked' && note.author !== undefined && note.author !== author;
    const standing = isOther ? texts.linkedBy(note.author) : texts.commitStates[state];
    const words = [standing, problem].flatMap((fact) => (fact ? [isolated(fact)] : []));
    const facts = note.notedAt ? [...words, shownTime(note.notedAt)] : words;
    const look = `<span class="quiet" data-commit="${state}">${facts.join(' · ')}</span>`;
    return [`<li><div class="by">${id}${by}${look}</div>${markdown.plain(text)}${cutText(more, texts)}</li>`];
  });
  return `<h2>${escaped(texts.commits(countOf(shown)))}</h2>${listPart('commits', 'notes', shown, rows, texts)}`;
}

function attachmentsPart(story: Story, shown: Windowed<Attachment>, texts: PanelTexts): string {
  if (isPendingStory(story)) return '';
  const rows = shown.items.map((attachment) => {
    const { id } = attachment;
    const filename = lineOf(attachment.filename);
    const origin = attachmentOrigin(attachment);
    const { uploadedAt } = attachment;
    const facts = [...(origin === '' ? [] : [isolated(origin)]), ...(uploadedAt ? [shownTime(uploadedAt)] : [])];
    const told = facts.length === 0 ? '' : `<div class="quiet">${facts.join(' · ')}</div>`;
    const button = (does: string, text: string, spoken: string) =>
      `<button type="button" class="link" data-do="${does}" data-id="${id}" data-key="${does}-${id}" aria-label="${escaped(spoken)}">${escaped(text)}</button>`;
    const open = button('openAttachment', texts.open, texts.openNamed(filename));
    const save = button('saveAttachment', texts.save, texts.saveNamed(filename));
    if (mayBeShown(attachment)) return pictureRow(attachment, told, `${open}${save}`);
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

/** The image comes when the row is seen; until then, and where it is none, the row is as any other. */
function pictureRow({ id, filename, description }: Attachment, told: string, buttons: string): string {
  const name = lineOf(filename);
  const alt = escaped(lineOf(description?.trim() || filename));
  const picture = `<button type="button" class="picture" data-do="openAttachment" data-id="${id}" data-key="picture-${id}" title="${escaped(name)}" hidden><img alt="${alt}"></button>`;
  return `<li data-image="${id}">${picture}<div>${isolated(name)}</div>${told}<div class="row">${buttons}</div></li>`;
}
