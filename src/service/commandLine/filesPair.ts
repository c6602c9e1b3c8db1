import { join } from 'node:path';
import { AttachmentFiles } from '../attachments/attachmentFiles.ts';
import { FolderPairing } from '../attachments/folderPairing.ts';
import { UsageError } from '../ground/usageError.ts';
import { command, jsonOption } from './command.ts';
import { storeOptions, withOpenStore } from './withStore.ts';

const anyway = { type: 'boolean', default: false, help: 'also when most of the files are not named' } as const;

export const filesPair = command({
  name: 'files pair',
  summary: 'say that the attached files and the database belong together',
  about:
    'Says that the attached files in the data folder belong to this database as it is, for instance after an older copy of it was restored on purpose. From then on services sweep files that it does not name: they go to the trash, and a month later for good. Run files check first.',
  options: { anyway, ...storeOptions, ...jsonOption },
  examples: ['--data /srv/tracker', '--data /srv/tracker --database postgres://ada@db.example.org/tracker'],
  run: async (given) =>
    withOpenStore(given, async ({ database, folder }) => {
      const files = await AttachmentFiles.open(join(folder, 'attachments'));
      const pairing = new FolderPairing(files, database);
      const { there, known } = await pairing.acquaintance();
      const counted = `This database names ${known} of the ${there} attached files in ${files.folder}.`;
      if (there - known > known && !given.anyway) {
        throw new UsageError(
          `${counted} Pairing them sends the others to the trash. Name the right database with --database or --data, or add --anyway.`,
        );
      }
      await pairing.pair();
      const text = `${counted} They belong together now.\n`;
      return { text, data: { folder: files.folder, files: there, named: known } };
    }),
});
