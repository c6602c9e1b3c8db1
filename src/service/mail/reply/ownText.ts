import { withoutEnds } from '../../../core/text.ts';
import { isReplyMarker } from '../assigned/composedMail.ts';

const QUOTED = /^\s?>/;

/**
 * What a person wrote in a reply: its text without what is quoted, however their program and language introduce it, and without
 * the signature. Answers between quoted lines are kept, the lines that they answer are not.
 */
export function ownText(text: string): string {
  const lines = text.replace(/\r\n?|\u2028|\u2029/g, '\n').split('\n');
  const marker = lines.findIndex(isReplyMarker);
  const above = marker < 0 ? lines : beforeQuotation(lines.slice(0, marker));
  const below = marker < 0 ? [] : answersBelow(lines.slice(marker + 1), QUOTED.test(lines[marker] ?? ''));
  const own = withoutSignature(withoutQuotes(beforeQuotedHead([...above, ...below])));
  const trimmed = own.map((line) => line.trimEnd()).join('\n');
  return withoutEnds(trimmed.replace(/\n{3,}/g, '\n\n'), '\n');
}

/** The lines before the first quoted one of our mail, without their introduction. */
function beforeQuotation(lines: readonly string[]): readonly string[] {
  const end = lines.findLastIndex((line) => !/^[\s>]*$/.test(line));
  const before = lines.slice(0, end + 1);
  return before.slice(0, before.length - attributionLength(before));
}

/** Where our mail is quoted line by line, an answer may stand between and below them; else all of it is quoted. */
function answersBelow(lines: readonly string[], isQuotedByLine: boolean): readonly string[] {
  return isQuotedByLine ? ['', ...lines] : [];
}

function withoutQuotes(lines: readonly string[]): readonly string[] {
  const own: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (!QUOTED.test(line)) {
      own.push(line);
    } else if (!QUOTED.test(lines[index - 1] ?? '')) {
      own.length -= attributionLength(own);
      own.push('');
    }
  }
  return own;
}

/** Lines over which programs break the sentence that introduces a quotation. */
const MOST_LINES = 4;
/** Lines without text that may be between the sentence and the quotation. */
const MOST_GAP = 2;
const LONGEST = 400;

/** A colon as every language ends the sentence, in narrow or wide form; French puts a space before it. */
const ENDS_WITH_COLON = /[:：]\s*[*_]?$/u;
const DATE =
  /\b(?:19|20)\d\d\b|(?:19|20)\d\d\s?[年년]|\b\d{1,2}\s?[.:h時시]\s?\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/u;
const SENDER = /[^\s<>@]@[^\s<>@]+\.[^\s<>@]/u;
/** How the sentence begins where its date is on the line before. */
const BEGINS = /^\s*(?:On|Am|Le|El|Il|Em|Op|Den|Dnia|W dniu|Dne|La|Pe|På|В|At)\s.*\d/u;
/** Ways in which one sentence without a date introduces a quotation. */
const WROTE =
  /\b(?:wrote|writes|schrieb|schreibt|écrit|escribió|ha scritto|scrisse|escreveu|schreef|skrev|napisał|napsal|kirjoitti|yazdı)\b|написал|写道|書きました/iu;

/** How many of the last lines are the sentence that introduces the quotation after them; 0 when there is none. */
function attributionLength(lines: readonly string[]): number {
  for (let gap = 0; gap <= MOST_GAP && gap < lines.length; gap++) {
    const end = lines.length - 1 - gap;
    if (lines[end]?.trim() === '') continue;
    const count = sentenceLength(lines, end);
    return count === 0 ? 0 : count + gap;
  }
  return 0;
}

/** Of how many lines up to `end` the sentence is; 0 when it is none. */
function sentenceLength(lines: readonly string[], end: number): number {
  if (!ENDS_WITH_COLON.test(lines[end] ?? '')) return 0;
  let joined = '';
  let without = 0;
  for (let count = 1; count <= MOST_LINES; count++) {
    const line = lines[end + 1 - count]?.trim() ?? '';
    joined = `${line} ${joined}`;
    if (line === '' || joined.length > LONGEST) break;
    if (DATE.test(joined)) return count + startsBefore(lines, end - count);
    if (count === 1 && (SENDER.test(joined) || WROTE.test(joined))) without = 1;
  }
  return without;
}

/** One line more where the sentence began with a date that was broken off. */
function startsBefore(lines: readonly string[], at: number): number {
  const line = lines[at] ?? '';
  return BEGINS.test(line) && /[,\d]\s*$/.test(line) ? 1 : 0;
}

/** The first words of the heads that programs copy above a quoted mail, in the languages that Outlook speaks most. */
const FROM = words(
  'From Von De Da Van Fra Från Od От Lähettäjä Kimden Feladó Expéditeur Remitente 发件人 寄件者 差出人 보낸사람 Avsender Afsender',
);
const OTHERS = words(
  [
    'Sent Date To Subject Cc Gesendet Datum An Betreff Kopie Envoyé Date À Objet Enviado Fecha Para Asunto Data Assunto',
    'Inviato A Oggetto Verzonden Aan Onderwerp Sendt Dato Til Emne Skickat Till Ämne Kopia Wysłano Data Do Temat DW',
    'Odesláno Datum Komu Předmět Отправлено Дата Кому Тема Копия Lähetetty Päivämäärä Vastaanottaja Aihe Gönderilen Tarih Kime Konu',
    'Elküldve Címzett Tárgy 发送时间 日期 收件人 主题 抄送 寄件日期 收件者 主旨 送信日時 日時 宛先 件名 보낸날짜 받는사람 제목',
  ].join(' '),
);
const LINE = /^\s*\*?([\p{L}\p{M}]{1,16}(?: ?[\p{L}\p{M}]{1,8})?)\s?\*?\s?[:：]\*?\s*(.*)$/u;
/** Lines that separate an answer from the mail below it, and the words between the dashes of others. */
const RULE = /^(?:_{5,}|-{7,}|[-–—]{20,})$/u;
const RULE_WORDS = /^\s?[\p{L}\p{M} .'’-]{3,40}\s?$/u;
const DASHES = '-–—';
const MOST_HEAD_LINES = 8;

/** The lines before the head of a mail that is quoted below as it was, as Outlook does; all of them when there is none. */
function beforeQuotedHead(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((line, index) => isWord(line, FROM) && isHead(lines, index));
  return at < 0 ? lines : withoutSeparators(lines.slice(0, startOfHead(lines, at)));
}

/** Some programs say when a mail was sent, and what it is about, before they say who sent it. */
function startOfHead(lines: readonly string[], from: number): number {
  let start = from;
  while (start > 0 && from - start < MOST_HEAD_LINES && isWord(lines[start - 1] ?? '', OTHERS)) start -= 1;
  return start;
}

/** Whether at least two other lines of a head stand with the one that says who sent it. */
function isHead(lines: readonly string[], from: number): boolean {
  const after = lines.slice(from + 1, from + MOST_HEAD_LINES);
  const end = after.findIndex((line) => line.trim() === '');
  const head = end < 0 ? after : after.slice(0, end);
  return head.filter((line) => isWord(line, OTHERS)).length + from - startOfHead(lines, from) >= 2;
}

function withoutSeparators(lines: readonly string[]): readonly string[] {
  const end = lines.findLastIndex((line) => line.trim() !== '' && !isSeparator(line));
  return lines.slice(0, end + 1);
}

function isSeparator(line: string): boolean {
  const text = line.trim();
  if (RULE.test(text)) return true;
  const words = withoutEnds(text, DASHES);
  const before = text.indexOf(words);
  return before >= 2 && text.length - before - words.length >= 2 && RULE_WORDS.test(words);
}

function isWord(line: string, known: ReadonlySet<string>): boolean {
  const [, word = '', value = ''] = LINE.exec(line) ?? [];
  return value.trim() !== '' && known.has(word.replaceAll(' ', '').toLowerCase());
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').map((word) => word.toLowerCase()));
}

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
const MOST_SIGNATURE_LINES = 10;
/** Characters of a line that a program writes by itself, with the address that it leads to. */
const LONGEST_TAGLINE = 400;

/** The lines without the signature at their end. */
function withoutSignature(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((line) => DELIMITER.test(line));
  const isSignature = at >= 0 && (lines[at] === '-- ' || lines.length - at <= MOST_SIGNATURE_LINES);
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
