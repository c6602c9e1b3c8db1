const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size as people read it, in steps of 1024: "0 B", "1.5 KB", "12 MB". */
export function byteText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  const digits = step > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[step]}`;
}
