import type { AttachmentFiles } from '../attachments/attachmentFiles.ts';
import type { SignInAttempts } from '../auth/passwordSignIn.ts';
import type { Answers } from '../cache/answers.ts';
import type { StoryTexts } from '../cache/listedStories.ts';
import type { LongAnswers } from '../cache/longAnswers.ts';
import type { ProjectFacts } from '../cache/projectFacts.ts';
import type { ProjectViews } from '../cache/projectViews.ts';
import type { TokenAccess } from '../cache/tokenAccess.ts';
import type { Background, ServiceLog } from '../ground/background.ts';
import type { BodyRoom } from '../http/bodyRoom.ts';
import type { HeldBody } from '../http/reply.ts';
import type { UntilChanged } from '../memory/leastRecentlyUsed.ts';
import type { Database } from '../store/database.ts';
import type { Mails } from './mails.ts';

/** What every request can reach. */
export interface Service {
  readonly database: Database;
  /** Absolute path of the data folder. */
  readonly folder: string;
  readonly files: AttachmentFiles;
  readonly tokens: TokenAccess;
  readonly attempts: SignInAttempts;
  readonly answers: Answers;
  readonly long: LongAnswers;
  readonly views: ProjectViews;
  readonly facts: ProjectFacts;
  readonly texts: StoryTexts;
  /** Written lists of activities; undefined those that are too long to be held. */
  readonly feeds: UntilChanged<Buffer | HeldBody | undefined>;
  readonly background: Background;
  readonly mails: Mails;
  readonly log: ServiceLog;
  /** Signs temporary download addresses; the same in all processes on this data. */
  readonly downloadKey: string;
  /** Bytes of one attachment. */
  readonly maxUpload: number;
  readonly bodyRoom: BodyRoom;
  /** Milliseconds in which a body that is not a file has to arrive. */
  readonly bodyTime: number;
}
