/** How mail programs put a reply above, below or around the mail that it answers. */
export interface MailStyle {
  readonly name: string;
  /** Plain text of a reply to `original`. */
  readonly reply: (own: string, original: string) => string;
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

const introduced = (name: string, sentence: string): MailStyle => ({
  name,
  reply: (own, original) => `${own}\n\n${sentence}\n${quoted(original)}\n`,
});

const headed = (name: string, head: string): MailStyle => ({
  name,
  reply: (own, original) => `${own}\n\n${head}\n\n${original}\n`,
});

/** By program and language; the sentences and heads are as those programs write them. */
export const mailStyles: readonly MailStyle[] = [
  introduced('Gmail, English', 'On Sat, Nov 21, 2026 at 10:00 AM Ada (Tracker) <tracker@example.org> wrote:\n'),
  introduced(
    'Gmail, English, broken',
    'On Sat, Nov 21, 2026 at 10:00 AM Ada Lovelace (Story Tracker) <\ntracker@example.org> wrote:\n',
  ),
  introduced('Gmail, German', 'Am Sa., 21. Nov. 2026 um 10:00 Uhr schrieb Ada <tracker@example.org>:\n'),
  introduced('Gmail, French', 'Le sam. 21 nov. 2026 à 10:00, Ada <tracker@example.org> a écrit :\n'),
  introduced('Gmail, Spanish', 'El sáb, 21 nov 2026 a las 10:00, Ada (<tracker@example.org>) escribió:\n'),
  introduced('Gmail, Portuguese', 'Em sáb., 21 de nov. de 2026 às 10:00, Ada <tracker@example.org>\nescreveu:\n'),
  introduced('Gmail, Italian', 'Il giorno sab 21 nov 2026 alle ore 10:00 Ada <tracker@example.org>\nha scritto:\n'),
  introduced('Gmail, Dutch', 'Op za 21 nov 2026 om 10:00 schreef Ada <tracker@example.org>:\n'),
  introduced('Gmail, Polish', 'sob., 21 lis 2026 o 10:00 Ada <tracker@example.org> napisał(a):\n'),
  introduced('Gmail, Russian', 'сб, 21 нояб. 2026 г. в 10:00, Ada <tracker@example.org>:\n'),
  introduced('Gmail, Japanese', '2026年11月21日(土) 10:00 Ada <tracker@example.org>:\n'),
  introduced('Gmail, Chinese', 'Ada <tracker@example.org> 于2026年11月21日周六 10:00写道：\n'),
  introduced('Gmail, Korean', '2026년 11월 21일 (토) 오전 10:00, Ada <tracker@example.org>님이 작성:\n'),
  introduced('Gmail, Turkish', 'Ada <tracker@example.org>, 21 Kas 2026 Cmt, 10:00 tarihinde şunu yazdı:\n'),
  introduced('Thunderbird, English', 'On 21/11/2026 10:00, Ada wrote:'),
  introduced('Thunderbird, German', 'Am 21.11.26 um 10:00 schrieb Ada (Story Tracker):'),
  introduced('Thunderbird, Swedish', 'Den 2026-11-21 kl. 10:00, skrev Ada:'),
  introduced('Thunderbird, old', 'Ada wrote:'),
  introduced('Apple Mail, English', 'On 21. Nov 2026, at 10:00, Ada (Story Tracker) <tracker@example.org> wrote:\n'),
  introduced('Apple Mail, German', 'Am 21.11.2026 um 10:00 schrieb Ada (Story Tracker) <tracker@example.org>:\n'),
  introduced(
    'iPhone, French',
    'Envoyé de mon iPhone\n\nLe 21 nov. 2026 à 10:00, Ada <tracker@example.org> a écrit :\n',
  ),
  introduced('iPhone, English', 'Sent from my iPhone\n\nOn Nov 21, 2026, at 10:00, Ada <tracker@example.org> wrote:\n'),
  headed(
    'Outlook, English',
    'From: Ada <tracker@example.org>\nSent: Saturday, November 21, 2026 10:00 AM\nTo: Ben <ben@example.org>\nSubject: #12 Land',
  ),
  headed(
    'Outlook, German',
    'Von: Ada <tracker@example.org>\nGesendet: Samstag, 21. November 2026 10:00\nAn: Ben <ben@example.org>\nBetreff: #12 Land',
  ),
  headed(
    'GMX, German',
    'Gesendet: Samstag, 21. November 2026 um 10:00 Uhr\nVon: "Ada (Story Tracker)" <tracker@example.org>\nAn: "Ben" <ben@example.org>\nBetreff: #12 Land',
  ),
  headed(
    'T-Online, German',
    '-----Original-Nachricht-----\nBetreff: #12 Land\nDatum: 2026-11-21T10:00:00+0100\nVon: "Ada" <tracker@example.org>\nAn: "Ben" <ben@example.org>',
  ),
  headed(
    'Samsung, German',
    'Von meinem Galaxy gesendet\n\n\n-------- Ursprüngliche Nachricht --------\nVon: Ada <tracker@example.org>\nDatum: 21.11.26 10:00 (GMT+01:00)\nAn: Ben <ben@example.org>\nBetreff: #12 Land',
  ),
  headed(
    'Outlook for Android, German',
    'Outlook für Android<https://aka.ms/AAb9ysg> herunterladen\n________________________________\nFrom: Ada <tracker@example.org>\nSent: Saturday, November 21, 2026 10:00:00 AM\nTo: Ben <ben@example.org>\nSubject: #12 Land',
  ),
  headed(
    'Outlook, French',
    'De : Ada <tracker@example.org>\nEnvoyé : samedi 21 novembre 2026 10:00\nÀ : Ben <ben@example.org>\nObjet : #12 Land',
  ),
  headed(
    'Outlook, Spanish',
    'De: Ada <tracker@example.org>\nEnviado el: sábado, 21 de noviembre de 2026 10:00\nPara: Ben <ben@example.org>\nAsunto: #12 Land',
  ),
  headed(
    'Outlook, Polish',
    'Od: Ada <tracker@example.org>\nWysłano: sobota, 21 listopada 2026 10:00\nDo: Ben <ben@example.org>\nTemat: #12 Land',
  ),
  headed(
    'Outlook, Chinese',
    '发件人: Ada <tracker@example.org>\n发送时间: 2026年11月21日 10:00\n收件人: Ben <ben@example.org>\n主题: #12 Land',
  ),
  headed(
    'Outlook on the web',
    '________________________________\nFrom: Ada <tracker@example.org>\nSent: Saturday, November 21, 2026 10:00\nTo: Ben <ben@example.org>\nSubject: #12 Land',
  ),
  headed(
    'Outlook, old',
    '-----Original Message-----\nFrom: Ada [mailto:tracker@example.org]\nSent: Saturday, November 21, 2026 10:00\nTo: Ben\nSubject: #12 Land',
  ),
  headed(
    'Outlook for iOS',
    'Get Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: Ada <tracker@example.org>\nSent: Saturday, November 21, 2026 10:00:00 AM\nTo: Ben <ben@example.org>\nSubject: #12 Land',
  ),
  headed(
    'with stars for bold',
    '*From:* Ada <tracker@example.org>\n*Sent:* Saturday, November 21, 2026 10:00\n*To:* Ben <ben@example.org>\n*Subject:* #12 Land',
  ),
  introduced('mutt, English', 'On Sat, Nov 21, 2026 at 10:00:00AM +0000, Ada wrote:'),
  introduced('mutt, French', 'Le samedi 21 novembre 2026 à 10:00:00, Ada a écrit :'),
  {
    name: 'mutt, German, an answer below',
    reply: (own, original) =>
      `Am Samstag, den 21. November 2026 um 10:00:00, schrieb Ada <tracker@example.org>:\n${quoted(original)}\n\n${own}\n`,
  },
  {
    name: 'Apple Mail, German, its introduction quoted',
    reply: (own, original) =>
      `${own}\n\nVon meinem iPhone gesendet\n\n> Am 21.11.2026 um 10:00 schrieb Ada <tracker@example.org>:\n> \n> \ufeff${quoted(original).slice(2)}`,
  },
  {
    name: 'a signature',
    reply: (own, original) =>
      `${own}\n\n-- \nBen Byron\nExample Ltd.\n\nOn 21/11/2026 10:00, Ada wrote:\n${quoted(original)}`,
  },
  {
    name: 'an answer below',
    reply: (own, original) => `On 21/11/2026 10:00, Ada wrote:\n${quoted(original)}\n\n${own}\n\n-- \nBen`,
  },
  { name: 'nothing quoted', reply: (own) => `${own}\n` },
];
