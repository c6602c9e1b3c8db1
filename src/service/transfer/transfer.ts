/** What takes stories in and gives them out; a part of its own, since a service that serves has no use for it. */

export { backUp } from './backup.ts';
export { exportProject } from './exportProject.ts';
export { importFile } from './import/importFile.ts';
export { reportText } from './import/importReport.ts';
