import type { Story } from '../../core/story/story.ts';
import type { Reply } from './reply.ts';

const PATH = /^\/story\/show\/(\d{1,15})$/;

/** The story that a page's path names, or undefined when it is no such path. */
export function storyPageId(path: string): string | undefined {
  return PATH.exec(path)?.[1];
}

/** The page behind a story's `url`: says which story it is and opens it in the editor. It shows nothing of the story, since no token comes with it. */
export function storyPage(storyId: string): Reply {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Story ${storyId} – Story Tracker</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}</style>
</head>
<body>
<h1>Story ${storyId}</h1>
<p><a href="vscode://story-tracker.story-tracker/story/${storyId}">Open story ${storyId} in Visual Studio Code</a></p>
<p>You need Story Tracker installed there and signed in to this service.</p>
</body>
</html>
`;
  return { status: 200, headers: PAGE_HEADERS, body };
}

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** A story with the address of its page, as the caller reaches this service. */
export function withAddress(story: Story, base: string): Story {
  return { ...story, url: `${base}/story/show/${story.id}` };
}
