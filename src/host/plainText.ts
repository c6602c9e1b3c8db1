/** VS Code would draw `$(name)` in labels of lists and of the status bar as an icon; this keeps it as it was written. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/**
 * VS Code makes `[words](command:…)` in notifications and below input boxes a link that runs a command. What servers and
 * files are called must not do that: a word joiner, which nobody sees, parts the brackets.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u2060(');
}
