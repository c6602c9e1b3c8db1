import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { deliveriesDiscard, deliveriesList, deliveriesRetry } from './deliveriesList.ts';
import { exportCommand } from './exportCommand.ts';
import { filesCheck, filesPair } from './filesCheck.ts';
import { importCommand } from './importCommand.ts';
import { projectIntegration } from './projectIntegration.ts';
import { projectIteration } from './projectIteration.ts';
import { projectList, projectRemove } from './projectList.ts';
import { projectMember } from './projectMember.ts';
import { projectSet } from './projectSet.ts';
import { ruleList, ruleSet } from './ruleList.ts';
import { serve } from './serve.ts';
import { tokenCreate, tokenList, tokenRevoke } from './tokenList.ts';
import { userAdd, userList, userPassword, userRemove } from './userAdd.ts';
import { userMail } from './userMail.ts';
import { version } from './version.ts';

/** Every command, in the order in which help lists them. */
export const commands: readonly Command[] = [
  serve,
  userAdd,
  userList,
  userPassword,
  userMail,
  userRemove,
  tokenCreate,
  tokenList,
  tokenRevoke,
  projectList,
  projectSet,
  projectIntegration,
  projectIteration,
  projectMember,
  projectRemove,
  ruleList,
  ruleSet,
  importCommand,
  exportCommand,
  backup,
  filesCheck,
  filesPair,
  deliveriesList,
  deliveriesRetry,
  deliveriesDiscard,
  version,
];
