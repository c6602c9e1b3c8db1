/** Of the addresses under which editors have attachments; the window needs it from the beginning, and no more of them. */
export const ATTACHMENT_SCHEME = 'storytracker-attachment';
