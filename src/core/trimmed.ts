/** A text without the run of these characters at its end. A pattern such as `/x+$/` begins anew at every `x`, which takes time by the square. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A text without the runs of these characters at its beginning and its end. */
export function withoutEnds(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return withoutEnd(text.slice(start), characters);
}
