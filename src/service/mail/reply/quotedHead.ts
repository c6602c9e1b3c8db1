import { withoutEnds } from '../../../core/text.ts';

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
export function beforeQuotedHead(lines: readonly string[]): readonly string[] {
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
