import { backup } from './backupCommand.ts';
import type { Command } from './command.ts';
import { deliveriesDiscard, deliveriesList, deliveriesRetry } from './deliveryCommands.ts';
import { exportCommand } from './exportCommand.ts';
import { filesCheck, filesPair } from './fileCommands.ts';
import { importCommand } from './importCommand.ts';
import { projectList, projectRemove } from './projectCommands.ts';
import { projectIntegration } from './projectIntegration.ts';
import { projectIteration } from './projectIteration.ts';
import { projectMember } from './projectMember.ts';
import { projectSet } from './projectSet.ts';
import { ruleList, ruleSet } from './ruleCommands.ts';
import { serve } from './serveCommand.ts';
import { tokenCreate, tokenList, tokenRevoke } from './tokenCommands.ts';
import { userAdd, userList, userPassword, userRemove } from './userCommands.ts';
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
