const icons: Readonly<Record<string, string>> = { feature: 'star-full', bug: 'bug', chore: 'gear', release: 'rocket' };

/** Codicon of a story type; a plain one for types we do not know. */
export function iconOfType(type: string): string {
  return (Object.hasOwn(icons, type) ? icons[type] : undefined) ?? 'circle-outline';
}
