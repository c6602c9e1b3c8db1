/** What telephones and programs write below a mail by themselves. */
const BY_ITSELF = [
  /^sent (?:from|with|via|using) (?:my )?[\p{L}\p{N} .'’-]{2,40}\.?$/iu,
  /^get outlook for (?:ios|android|mac)\b.{0,80}$/iu,
  /^(?:outlook für .{2,40} (?:herunterladen|beziehen)|(?:obtenir|ottieni|download) outlook (?:pour|per|voor) .{2,40})$/iu,
  /^(?:von meinem .{2,40} gesendet|gesendet (?:von|mit|über) .{2,60}|holen sie sich outlook für .{2,60})$/iu,
  /^(?:envoyé (?:de|depuis|à partir d[eu]) .{2,60}|télécharger outlook pour .{2,60})$/iu,
  /^(?:enviado (?:desde|do|de|a partir do) .{2,60}|obt[eé]n(?:er|ha)? (?:o )?outlook para .{2,60})$/iu,
  /^(?:inviato da[l ]?.{2,60}|verzonden (?:vanaf|met|via) .{2,60}|verstuurd vanaf .{2,60})$/iu,
  /^(?:skickat från .{2,60}|sendt fra .{2,60}|lähetetty .{2,60}|wysłane z .{2,60}|odesláno z .{2,60})$/iu,
  /^(?:отправлено (?:с|из) .{2,60}|发自我的.{1,40}|從我的.{1,40}傳送|.{1,20}から送信|나의 .{1,30}에서 보냄|.{2,30}['’]?(?:dan|den) gönderildi)$/iu,
];
/** Of dashes and a space (RFC 3676, 4.3); many programs lose the space. */
const DELIMITER = /^-- ?$/;
/** Lines below dashes that lost their space, more of which are a text of its own. */
const MOST_LINES = 10;
/** Characters of a line that a program writes by itself, with the address that it leads to. */
const LONGEST_TAGLINE = 400;

/** The lines without the signature at their end. */
export function withoutSignature(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((line) => DELIMITER.test(line));
  const isSignature = at >= 0 && (lines[at] === '-- ' || lines.length - at <= MOST_LINES);
  return withoutTagline(isSignature ? lines.slice(0, at) : lines);
}

function withoutTagline(lines: readonly string[]): readonly string[] {
  const end = lines.findLastIndex((line) => line.trim() !== '');
  const line = lines[end] ?? '';
  if (line.length > LONGEST_TAGLINE) return lines;
  const last = line.replace(/<https?:[^<>]*>/, '').trim();
  if (end < 0 || !BY_ITSELF.some((one) => one.test(last))) return lines;
  return lines.slice(0, end);
}
