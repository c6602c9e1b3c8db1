/**
 * A file's name as archives may have it: below the folder in which they are unpacked, on every system. A backslash would part
 * names on Windows, a letter with a colon would be a drive.
 */
export function archiveName(name: string): string {
  const parts = name.replaceAll('\\', '_').split('/');
  const below = parts.filter((part) => part !== '' && part !== '.' && part !== '..');
  return below.join('/').replace(/^([a-z]):/i, '$1_') || '_';
}
