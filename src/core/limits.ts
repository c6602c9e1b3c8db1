/**
 * How much outsiders may send (protocol.md, Limits). One place, so that every way in (HTTP, import, mail, what a server answers)
 * holds to the same; each is looked at before a text is normalised, matched, compared or copied. Lengths are in characters
 * (UTF-16 units) where nothing else is said.
 */

/** Characters of the name of a story. */
export const MAX_STORY_NAME = 5_000;
/** A name, an address, a label: what a database can still keep in an index. */
export const MAX_LINE = 255;
/** Characters of the name of a project, and of its account. */
export const MAX_PROJECT_NAME = 200;
/** A description or a comment: written in XML, where each character may take five, any reader of ours still takes it. */
export const MAX_TEXT = 100_000;
/** A user name or a password. */
export const MAX_LOGIN = 1_024;
/** The text of an element or a parameter that holds a number, a date, or true or false. */
export const MAX_NUMBER = 64;
/** Parameters of a form and the query together, counted before any is decoded. */
export const MAX_PARAMETERS = 4_096;
/** Those of the query alone, which are kept until the request is answered. */
export const MAX_QUERY_PARAMETERS = 1_000;
/**
 * Fields of a body, one inside another counted too, but for what is in the lists of a resource that is sent back whole: far more than any
 * resource has, and few enough that what is made of a short body is not many times as long.
 */
export const MAX_FIELDS = 256;
export const MAX_LABELS_OF_STORY = 100;
export const MAX_LABELS_OF_PROJECT = 2_000;
export const MAX_MEMBERS_OF_PROJECT = 1_000;
export const MAX_INTEGRATIONS_OF_PROJECT = 100;
/** Iterations of a project that have a strength or a length of their own. */
export const MAX_STRENGTHS_OF_PROJECT = 500;
/** Points of a story, and numbers of a point scale. */
export const MAX_POINTS = 10_000;
export const MAX_ATTACHMENTS_OF_STORY = 500;
/** The description of an attachment. */
export const MAX_ATTACHMENT_TEXT = 1_000;
export const MAX_COMMENTS_OF_STORY = 1_000;
export const MAX_TASKS_OF_STORY = 1_000;
/** Bytes, in UTF-8, of the description, comments and tasks of one story together: databases tell them without reading the text. */
export const MAX_TEXT_OF_STORY = 1_000_000;
/**
 * Bytes of the descriptions of a project, of its comments, and of its tasks, that are read and held at once; the stories of one with
 * more are read some at a time.
 */
export const MAX_TEXT_OF_LOOK = 16_000_000;
/** The comments that the commits of one request become, together. */
export const MAX_LINKED_TEXT = 4_000_000;
/** Values and words of one filter. */
export const MAX_FILTER_WORDS = 32;
/** One of them: a longer one is looked for in a time that grows with the length of both. */
export const MAX_FILTER_WORD = 128;
/** Projects that one user makes in an hour. */
export const MAX_PROJECTS_AN_HOUR = 20;
/** People whom one user tries to make members of projects in an hour, whether they can be or not. */
export const MAX_ADDITIONS_AN_HOUR = 60;
