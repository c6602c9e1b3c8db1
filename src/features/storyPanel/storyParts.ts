import type { Attachment } from '../../core/attachment.ts';
import { commitOf } from '../../core/shownCommit.ts';
import type { Note, Story, Task } from '../../core/story.ts';
import { isPendingNote, isPendingTask } from '../../core/withIntent.ts';
import { attachmentDetails } from '../../host/attachmentFacts.ts';
import { withoutControls } from '../../host/withoutControls.ts';
import { escaped, isolated } from './escaped.ts';
import { renderMarkdown } from './markdown.ts';
import type { Parts } from './panelMessages.ts';
import type { PanelProject } from './panelProject.ts';
import type { PanelTexts } from './panelTexts.ts';
import { linkTo, plainText } from './plainText.ts';
import { shownTime } from './shownTime.ts';
import { storyDetails } from './storyDetails.ts';
import { storyHead } from './storyHead.ts';

/** Characters of a commit's id. */
const HASH = 8;

/** The story as the pieces of HTML that the page shows; an empty one is left out. Nothing in it is the server's markup. */
export function storyParts(story: Story, project: PanelProject, texts: PanelTexts): Parts {
  const isCommit = (note: Note) => commitOf(note) !== undefined;
  const commits = story.notes.filter(isCommit);
  const comments = story.notes.filter((note) => !isCommit(note));
  const parts: Parts = {
    head: storyHead(story, project, texts),
    description: descriptionPart(story.description, texts),
    tasks: tasksPart(story.tasks, texts),
    comments: notesPart(comments, texts.comments(comments.length), texts),
    details: storyDetails(story, project, texts),
    attachments: attachmentsPart(story.attachments, texts),
    commits: commits.length === 0 ? '' : commitsPart(commits, texts),
  };
  return mapped(parts, withoutControls);
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

function descriptionPart(description: string | undefined, texts: PanelTexts): string {
  const html = description?.trim()
    ? renderMarkdown(description)
    : `<p class="quiet">${escaped(texts.noDescription)}</p>`;
  return `<h2>${escaped(texts.description)}</h2><div class="markdown">${html}</div>`;
}

function tasksPart(tasks: readonly Task[], texts: PanelTexts): string {
  if (tasks.length === 0) return '';
  const done = tasks.filter(({ complete }) => complete).length;
  const rows = tasks.map(({ id, description, complete }) => {
    if (isPendingTask({ id })) {
      const unsent = `<span class="quiet">${escaped(texts.notSentYet)}</span>`;
      return `<li><label><input type="checkbox" disabled><span dir="auto">${escaped(description)} ${unsent}</span></label></li>`;
    }
    const box = `<input type="checkbox" data-task="${id}" data-key="task-${id}"${complete ? ' checked' : ''}>`;
    return `<li><label>${box}<span dir="auto"${complete ? ' class="done"' : ''}>${escaped(description)}</span></label></li>`;
  });
  return `<h2>${escaped(texts.tasks(done, tasks.length))}</h2><ul class="tasks">${rows.join('')}</ul>`;
}

function notesPart(notes: readonly Note[], title: string, texts: PanelTexts): string {
  const items = notes.map((note) => {
    const { text, author, notedAt } = note;
    if (isPendingNote(note)) {
      return `<li><div class="by"><span class="quiet">${escaped(texts.notSentYet)}</span></div>${plainText(text)}</li>`;
    }
    const by = author === undefined ? '' : `<strong>${isolated(author)}</strong> `;
    const at = notedAt === undefined ? '' : `<span class="quiet">${shownTime(notedAt)}</span>`;
    return `<li><div class="by">${by}${at}</div>${plainText(text)}</li>`;
  });
  return `<h2>${escaped(title)}</h2>${items.length === 0 ? '' : `<ul class="notes">${items.join('')}</ul>`}`;
}

/** Each with its id, which leads to its page where it has one, and whether the server has it. */
function commitsPart(notes: readonly Note[], texts: PanelTexts): string {
  const items = notes.flatMap((note) => {
    const commit = commitOf(note);
    if (!commit) return [];
    const { hash, url, state, problem } = commit;
    const id = hash === undefined ? '' : `<code>${linkTo(url, hash.slice(0, HASH))}</code> `;
    const by = note.author === undefined ? '' : `<strong>${isolated(note.author)}</strong> `;
    const words = [texts.commitStates[state], problem].flatMap((fact) => (fact ? [isolated(fact)] : []));
    const facts = note.notedAt ? [...words, shownTime(note.notedAt)] : words;
    const look = `<span class="quiet" data-commit="${state}">${facts.join(' · ')}</span>`;
    return [`<li><div class="by">${id}${by}${look}</div>${plainText(note.text)}</li>`];
  });
  return `<h2>${escaped(texts.commits(notes.length))}</h2><ul class="notes">${items.join('')}</ul>`;
}

function attachmentsPart(attachments: readonly Attachment[], texts: PanelTexts): string {
  const rows = attachments.map((attachment) => {
    const { id, filename } = attachment;
    const facts = attachmentDetails(attachment);
    const told = facts === '' ? '' : `<div class="quiet">${isolated(facts)}</div>`;
    const button = (does: string, text: string, spoken: string) =>
      `<button type="button" class="link" data-do="${does}" data-id="${id}" data-key="${does}-${id}" aria-label="${escaped(spoken)}">${escaped(text)}</button>`;
    const open = button('openAttachment', texts.open, texts.openNamed(filename));
    const save = button('saveAttachment', texts.save, texts.saveNamed(filename));
    return `<li><div>${isolated(filename)}</div>${told}<div class="row">${open}${save}</div></li>`;
  });
  const list = rows.length === 0 ? '' : `<ul class="files">${rows.join('')}</ul>`;
  const button = (does: string, text: string) =>
    `<button type="button" class="secondary" data-do="${does}" data-key="${does}">${escaped(text)}</button>`;
  const saveAll = rows.length > 1 ? button('saveAllAttachments', texts.saveAll) : '';
  const buttons = `<div class="row">${button('attach', texts.attach)}${saveAll}</div>`;
  return `<h2>${escaped(texts.attachments(rows.length))}</h2>${list}${buttons}`;
}
