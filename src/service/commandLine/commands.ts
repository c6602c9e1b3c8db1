import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { deliveriesDiscard } from './deliveriesDiscard.ts';
import { deliveriesList } from './deliveriesList.ts';
import { deliveriesRetry } from './deliveriesRetry.ts';
import { exportCommand } from './exportCommand.ts';
import { filesCheck } from './filesCheck.ts';
import { filesPair } from './filesPair.ts';
import { importCommand } from './importCommand.ts';
import { projectIntegration } from './projectIntegration.ts';
import { projectIteration } from './projectIteration.ts';
import { projectList } from './projectList.ts';
import { projectMember } from './projectMember.ts';
import { projectRemove } from './projectRemove.ts';
import { projectSet } from './projectSet.ts';
import { ruleList } from './ruleList.ts';
import { ruleSet } from './ruleSet.ts';
import { serve } from './serve.ts';
import { tokenCreate } from './tokenCreate.ts';
import { tokenList } from './tokenList.ts';
import { tokenRevoke } from './tokenRevoke.ts';
import { userAdd } from './userAdd.ts';
import { userList } from './userList.ts';
import { userMail } from './userMail.ts';
import { userPassword } from './userPassword.ts';
import { userRemove } from './userRemove.ts';
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
