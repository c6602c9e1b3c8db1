/** Text as it is compared: without regard to case and to how accents are encoded. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
