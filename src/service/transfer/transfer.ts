/** What takes stories in and gives them out; a part of its own, since a service that serves has no use for it. */

export { backUp } from './backup.ts';
export { exportProject } from './exportProject.ts';
export { importFile } from './importFile.ts';
export { reportText } from './importReport.ts';
