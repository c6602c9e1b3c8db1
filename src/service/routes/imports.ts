import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { MAX_ADDITIONS_AN_HOUR, MAX_LINE, MAX_PROJECT_NAME, MAX_PROJECTS_AN_HOUR } from '../../core/limits.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../core/story/importReport.ts';
import {
  EXPORT_FORMAT_PARAMETER,
  IMPORT_PARAMETERS,
  IMPORTED_IDS_PARAMETER,
  MOST_IMPORTED_IDS,
} from '../../v3/assumptions.ts';
import {
  importedIdsElement,
  importProgressElement,
  importReportElement,
  isStoryNumber,
  renumberedElement,
} from '../../v3/importReport.ts';
import { contentDisposition } from '../attachments/downloadAddress.ts';
import { projectIdsOfCaller, readInProject, requireRole, requireToken } from '../auth/projectAccess.ts';
import { type Call, param } from '../call/exchange.ts';
import { badRequest, notFound, tooMany, UsageError, unprocessable } from '../ground/errors.ts';
import { elementReply, type Reply, requireCaller } from '../http/reply.ts';
import { spooledBody, spoolPath, withSpooledBody } from '../http/spooledFile.ts';
import type { Tx } from '../store/database.ts';
import { mappingsOf, renumberedStories } from '../store/imports.ts';
import { countUse } from '../store/people/recentUses.ts';
import { userByEmail } from '../store/people/users.ts';
import { roleIn } from '../store/projects/memberships.ts';
import { ruleValue } from '../store/projects/projects.ts';
import { importById, importsOfUser, LAST_IMPORT } from '../store/stagedImports.ts';
import type { ImportCaller, ImportWishes } from '../transfer/import/importFile.ts';
import type { ImportReport } from '../transfer/import/importReport.ts';
import { FileFault } from '../transfer/import/remarks.ts';
import { onlyAdministratorsAdd } from '../useCases/memberships.ts';
import { isDryRun } from './projects.ts';

const MOST_NAMES = 1_000;
const MOST_PEOPLE = 500;

/** A new project, whose owner the caller becomes. */
export async function postImport(call: Call): Promise<Reply> {
  return imported(call, undefined, async (tx) => {
    await requireToken(tx, call.tokenHash);
    if (isDryRun(call)) return;
    const wait = await countUse(tx, call.user.id, 'project', MAX_PROJECTS_AN_HOUR, call.now);
    if (wait > 0) throw tooMany(`You can make at most ${MAX_PROJECTS_AN_HOUR} projects an hour.`, wait);
  });
}

/** Into a project of which the caller is an owner, now and when the import ends. */
export async function postProjectImport(call: Call): Promise<Reply> {
  const projectId = param(call, 'projectId');
  await readInProject(call, projectId, (tx) => requireRole(tx, projectId, call.user, 'Owner'));
  return imported(call, projectId, async (tx) => {
    await requireToken(tx, call.tokenHash);
    await requireRole(tx, projectId, call.user, 'Owner');
  });
}

/** Users whose files are being read by this process; the store knows those of others, from when they begin to write on. */
const importing = new Set<number>();

async function imported(call: Call, projectId: number | undefined, admit: (tx: Tx) => Promise<void>): Promise<Reply> {
  const { id } = call.user;
  const wishes = { ...readWishes(call.query), isTrial: isDryRun(call) };
  if (importing.has(id)) throw oneAtATime();
  importing.add(id);
  try {
    return await importedAlone(call, projectId, wishes, admit);
  } finally {
    importing.delete(id);
  }
}

async function importedAlone(
  call: Call,
  projectId: number | undefined,
  wishes: Wishes & Pick<ImportWishes, 'isTrial'>,
  admit: (tx: Tx) => Promise<void>,
): Promise<Reply> {
  const { service, now } = call;
  await service.database.write(async (tx) => {
    await admit(tx);
    if ((await importsOfUser(tx, call.user.id)) > 0) throw oneAtATime();
  });
  const { database, files } = service;
  const path = await spoolPath(service.folder);
  return withSpooledBody(call, { path, limit: service.maxUpload }, async () => {
    const caller = callerOf(call, projectId);
    await countPeople(call, projectId, [...wishes.persons.values()]);
    const { importFile } = await import('../transfer/import/importFile.ts');
    const report = await importFile(
      { database, files },
      {
        ...{ path, now, caller, ...wishes, addsPeople: false, onProgress: () => undefined },
        ...(projectId !== undefined && { projectId }),
      },
    ).catch(toRefusal);
    return elementReply(importReportElement(told(report, call.user)));
  });
}

const BUSY_SECONDS = 5;

function oneAtATime(): Error {
  return tooMany('You can run one import at a time.', BUSY_SECONDS);
}

/** What is told over the API is bounded. */
function told(report: ImportReport, { name, email }: Call['user']) {
  return {
    ...report,
    importer: { name, email },
    people: report.people.slice(0, MOST_NAMES),
    filesMissing: report.attached.withoutFile,
  };
}

/** What is wrong with a file is said to who sent it. */
function toRefusal(error: unknown): never {
  throw error instanceof FileFault || error instanceof UsageError ? unprocessable(error.message) : error;
}

function callerOf(call: Call, projectId: number | undefined): ImportCaller {
  const { user, request, tokenHash } = call;
  const importId = Number(call.query.get(IMPORT_PARAMETERS.importId) ?? Number.NaN);
  if (
    call.query.has(IMPORT_PARAMETERS.importId) &&
    !(Number.isInteger(importId) && importId > 0 && importId <= LAST_IMPORT)
  )
    throw badRequest(`${IMPORT_PARAMETERS.importId} must be a whole number from 1 to ${LAST_IMPORT}.`);
  return {
    user,
    ...(Number.isInteger(importId) && { importId }),
    authorize: async (tx) => {
      await requireToken(tx, tokenHash);
      if (projectId !== undefined) await requireRole(tx, projectId, user, 'Owner');
    },
    admits: (email) => mayAdd(call, undefined, email),
    requireGoOn: () => requireCaller(request),
  };
}

type Wishes = Pick<ImportWishes, 'name' | 'format' | 'keepsIds'> & { readonly persons: ReadonlyMap<string, string> };

/** Throws `Refusal` 400 and 422. */
function readWishes(query: URLSearchParams): Wishes {
  const { projectName, person, format, keepIds } = IMPORT_PARAMETERS;
  const name = query.get(projectName)?.trim() ?? '';
  if (name.length > MAX_PROJECT_NAME)
    throw unprocessable(`The name of a project has at most ${MAX_PROJECT_NAME} characters.`);
  const given = query.get(format) ?? undefined;
  return {
    ...(name !== '' && { name }),
    ...(given !== undefined && { format: readFormat(given, format) }),
    keepsIds: query.get(keepIds) !== 'false',
    persons: readPersons(query.getAll(person)),
  };
}

function readFormat(given: string, parameter: string): ExportFormat {
  const found = EXPORT_FORMATS.find((each) => each === given);
  if (!found) throw badRequest(`${parameter} must be csv or xml.`);
  return found;
}

function readPersons(given: readonly string[]): ReadonlyMap<string, string> {
  if (given.length > MOST_PEOPLE) throw unprocessable(`At most ${MOST_PEOPLE} people can be matched at once.`);
  const persons = new Map<string, string>();
  for (const text of given) {
    const end = text.lastIndexOf('=');
    const [name, address] = [text.slice(0, Math.max(end, 0)).trim(), text.slice(end + 1).trim()];
    if (name === '' || address === '' || text.length > 2 * MAX_LINE)
      throw badRequest(
        `${IMPORT_PARAMETERS.person} must be a name and an address, such as Ada Lovelace=ada@example.org.`,
      );
    persons.set(name, address);
  }
  return persons;
}

/** Counts as if an owner added those who are no members yet, so that nobody finds out by trying which addresses are known here. */
async function countPeople(call: Call, projectId: number | undefined, addresses: readonly string[]): Promise<void> {
  for (const address of new Set(addresses)) {
    const addition = await additionOf(call, projectId, address);
    if (addition === 'not allowed') throw onlyAdministratorsAdd();
    if (addition === 'too many')
      throw tooMany(`You can add at most ${MAX_ADDITIONS_AN_HOUR} people an hour to projects.`, 60 * 60);
  }
}

async function mayAdd(call: Call, projectId: number | undefined, email: string): Promise<boolean> {
  return (await additionOf(call, projectId, email)) === 'allowed';
}

/** Whether someone with this address may become a member, if they are none. */
async function additionOf(
  { service, user, now }: Call,
  projectId: number | undefined,
  email: string,
): Promise<'allowed' | 'not allowed' | 'too many'> {
  return service.database.write(async (tx) => {
    const person = await userByEmail(tx, email);
    if (person?.id === user.id) return 'allowed';
    if (person && projectId !== undefined && (await roleIn(tx, projectId, person.id)) !== undefined) return 'allowed';
    if ((await ruleValue(tx, 'adding-people')) === 'administrators') return 'not allowed';
    const wait = await countUse(tx, user.id, 'member', MAX_ADDITIONS_AN_HOUR, now);
    return wait === 0 ? 'allowed' : 'too many';
  });
}

/** How far an import of the caller is. */
export async function getImport(call: Call): Promise<Reply> {
  const importId = param(call, 'importId');
  const row = await call.service.database.read((tx) => importById(tx, Math.min(importId, LAST_IMPORT)));
  if (!row || row.userId !== call.user.id) throw notFound('No such import is under way.');
  return elementReply(importProgressElement(importId, row));
}

/** The IDs here of stories that came from a file. */
export async function getImportedStories(call: Call): Promise<Reply> {
  const projectId = param(call, 'projectId');
  const given = call.query.get(IMPORTED_IDS_PARAMETER) ?? '';
  const ids = given.slice(0, MOST_IMPORTED_IDS * MAX_LINE).split(',', MOST_IMPORTED_IDS + 1);
  if (ids.length > MOST_IMPORTED_IDS) throw unprocessable(`Ask for at most ${MOST_IMPORTED_IDS} stories at once.`);
  const mappings = await readInProject(call, projectId, (tx) => mappingsOf(tx, projectId, ids));
  const found = [...mappings.values()].flatMap(({ externalId, storyId }) =>
    storyId === null ? [] : [{ externalId, storyId }],
  );
  return elementReply(importedIdsElement(found));
}

/** The newest of those in the caller's projects are told: no more than a client reads in a moment. */
const MOST_RENUMBERED = 20_000;

/** The stories of the caller's projects that have another ID here than in the file they came from. */
export async function getRenumberedStories(call: Call): Promise<Reply> {
  const rows = await call.service.database.read((tx) =>
    renumberedStories(tx, projectIdsOfCaller(tx, call), MOST_RENUMBERED),
  );
  const numbered = rows.filter(({ externalId }) => isStoryNumber(externalId));
  return elementReply(renumberedElement(numbered.map((row) => ({ ...row, formerId: Number(row.externalId) }))));
}

/** How many exports are made or sent for each user in this process; each is a file for as long. */
const exporting = new Map<number, number>();
const MOST_EXPORTS = 3;

function countExport(userId: number, more: 1 | -1): void {
  const count = (exporting.get(userId) ?? 0) + more;
  if (count > 0) exporting.set(userId, count);
  else exporting.delete(userId);
}

/** The project as a file of one moment. It is made before it is sent, so that a slow reader holds no view of the store. */
export async function getExport(call: Call): Promise<Reply> {
  const { service, user, now, base } = call;
  const projectId = param(call, 'projectId');
  const format = readFormat(call.query.get(EXPORT_FORMAT_PARAMETER) ?? 'xml', EXPORT_FORMAT_PARAMETER);
  await readInProject(call, projectId, async () => undefined);
  if ((exporting.get(user.id) ?? 0) >= MOST_EXPORTS)
    throw tooMany(`You can run ${MOST_EXPORTS} exports at a time.`, BUSY_SECONDS);
  countExport(user.id, 1);
  let path: string | undefined;
  try {
    const file = await spoolPath(service.folder);
    path = file;
    const { exportText } = await import('../transfer/exportProject.ts');
    const name = await readInProject(call, projectId, async (tx, project) => {
      await pipeline(
        exportText(tx, project, { format, base, now }),
        async function* (pieces: AsyncIterable<string>) {
          for await (const piece of pieces) {
            requireCaller(call.request);
            yield piece;
          }
        },
        createWriteStream(file, { flags: 'wx', mode: 0o600 }),
      );
      return project.name;
    });
    const { size } = await stat(file);
    return {
      status: 200,
      headers: {
        'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/xml; charset=utf-8',
        'Content-Disposition': contentDisposition(`${name}.${format}`),
        'Cache-Control': 'private, no-store',
      },
      body: spooledBody(file, size, () => countExport(user.id, -1)),
    };
  } catch (error) {
    countExport(user.id, -1);
    if (path !== undefined) await rm(path, { force: true });
    throw error;
  }
}
