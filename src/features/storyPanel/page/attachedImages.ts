import { onShown, vsCode } from './elements.ts';

/** Bytes of all images that the page holds at once. */
const MOST = 64 * 1024 * 1024;

interface Shown {
  readonly address: string;
  readonly size: number;
}

/** By attachment; the least lately shown first. */
const images = new Map<number, Shown>();
const asked = new Set<number>();

/** Asked for as they come into view, or are about to. */
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      const id = target instanceof HTMLElement ? Number(target.dataset.image) : Number.NaN;
      if (!isIntersecting || asked.has(id)) continue;
      asked.add(id);
      vsCode.postMessage({ type: 'image', id });
    }
  },
  { rootMargin: '200px' },
);

/** Shows the images among the attachments, as far as they were sent, in rows and texts that are new each time. */
export function startAttachedImages(): void {
  for (const part of ['attachments', 'description', 'comments']) onShown(part, showAttachedImages);
}

/** As `startAttachedImages`, in what is shown by now. */
export function showAttachedImages(): void {
  seen.disconnect();
  for (const place of document.querySelectorAll<HTMLElement>('[data-image]')) {
    const shown = images.get(Number(place.dataset.image));
    if (shown) put(place, shown);
    else seen.observe(place);
  }
}

function placesOf(id: number): Iterable<HTMLElement> {
  return document.querySelectorAll<HTMLElement>(`[data-image="${id}"]`);
}

/** Puts in an image that the extension has fetched. The page holds it: nothing is loaded. */
export function showImage(id: number, mime: string, bytes: Uint8Array<ArrayBuffer>): void {
  const before = images.get(id);
  if (before) URL.revokeObjectURL(before.address);
  const shown = { address: URL.createObjectURL(new Blob([bytes], { type: mime })), size: bytes.length };
  images.delete(id);
  images.set(id, shown);
  makeRoom();
  for (const place of placesOf(id)) put(place, shown);
}

/** Those that are no longer held are asked for when they come into view again. */
function makeRoom(): void {
  let size = [...images.values()].reduce((sum, one) => sum + one.size, 0);
  for (const [id, one] of images) {
    if (size <= MOST) return;
    size -= one.size;
    images.delete(id);
    asked.delete(id);
    URL.revokeObjectURL(one.address);
    for (const place of placesOf(id)) {
      hide(place);
      seen.observe(place);
    }
  }
}

function put(place: HTMLElement, { address }: Shown): void {
  const image = place.querySelector('img');
  const button = image?.closest('button');
  if (!image || !button) return;
  image.addEventListener('error', () => hide(place), { once: true });
  image.decoding = 'async';
  image.src = address;
  button.hidden = false;
}

function hide(place: HTMLElement): void {
  const button = place.querySelector('img')?.closest('button');
  if (button) button.hidden = true;
}
