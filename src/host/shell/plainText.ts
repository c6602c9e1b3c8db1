/**
 * VS Code draws `$(name)` in lists and in the status bar as an icon, and does not find it by its words. A word joiner, which
 * nobody sees, keeps it as it was written.
 */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u2060(');
}

/**
 * VS Code makes `[words](command:…)` in notifications and below input boxes a link that runs a command. What servers and
 * files are called must not do that, so the brackets are parted.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u2060(');
}
