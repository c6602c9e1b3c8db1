/** The README as it is packaged: without pictures and links of the source, which are not in the package and have no public page. */
export function packagedReadme(readme: string): string {
  return readme
    .replace(/^!\[[^\]]*\]\((?!https:)[^)]+\)\n\n?/gm, '')
    .replace(/(?<!!)\[([^\]]+)\]\((?!https:|#)[^)]+\)/g, '$1');
}
