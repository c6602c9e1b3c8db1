import { visibleLine } from '../../../core/visibleText.ts';
import type { AssignedMail } from './assignedMail.ts';
import { factsOf, shortened } from './assignedText.ts';
import { REPLY_MARKER } from '../mailMarker.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML shows it, in an attribute too. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** The assignment e-mail as HTML: no images, no scripts, nothing from elsewhere. */
export function assignedHtml(mail: AssignedMail): string {
  const { story, by, project, replyTo, preferencesUrl } = mail;
  const { shown } = story;
  const title = shown ? `#${story.id} ${visibleLine(shown.name, 500)}` : `Story #${story.id}`;
  const where = shown ? ` in ${escaped(visibleLine(project, 200))}` : '';
  return `<!doctype html>
<html lang="en">
<body style="font-family:system-ui,sans-serif">
${replyTo === undefined ? '' : `<p style="color:#767676;font-size:small">--- ${REPLY_MARKER} ---</p>\n`}<p>${escaped(visibleLine(by, 200))} gave you a story${where}:</p>
<p><a href="${escaped(story.url)}"><b>${escaped(title)}</b></a>${shown ? `<br>${escaped(factsOf(shown))}` : ''}</p>
${shown?.description ? `<div style="white-space:pre-wrap">${escaped(shortened(shown.description))}</div>\n` : ''}<p style="color:#767676;font-size:small">${replyTo === undefined ? '' : 'Reply to this mail to comment on the story.<br>'}<a href="${escaped(preferencesUrl)}">No more mails of this kind</a></p>
</body>
</html>
`;
}
