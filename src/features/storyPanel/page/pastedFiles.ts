import { PASTE_LIMIT, type PastedFile } from '../panelMessages.ts';
import { vsCode } from './vsCodeApi.ts';

/** Hands over files that are pasted, an image from the clipboard say; text goes where it always goes. */
export function startPasting(): void {
  document.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const isText = event.clipboardData?.types.includes('text/plain') && event.target instanceof HTMLTextAreaElement;
    if (files.length === 0 || isText) return;
    event.preventDefault();
    void handOver(files);
  });
}

async function handOver(files: readonly File[]): Promise<void> {
  vsCode.postMessage({ type: 'paste', files: await Promise.all(files.map(pasted)) });
}

/** One that is too large is not even read. */
async function pasted(file: File): Promise<PastedFile> {
  const name = nameOf(file);
  return file.size > PASTE_LIMIT
    ? { name, size: file.size }
    : { name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** Browsers call every image without a file `image.png`; when it was pasted tells them apart. */
function nameOf({ name, type }: File): string {
  if (name !== '' && !/^image\.\w+$/.test(name)) return name;
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(twoDigits).join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join('.');
  return `pasted ${day} ${time}.${/^image\/(\w+)/.exec(type)?.[1] ?? 'bin'}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
