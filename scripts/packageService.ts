/** `npm run package:service`: the service as something to install, as `dist/story-tracker-service-VERSION.tgz`. */
import { statSync } from 'node:fs';
import { writeServicePackage } from './servicePackage/servicePackage.ts';

const path = writeServicePackage('dist');
process.stdout.write(`${path}: ${Math.ceil(statSync(path).size / 1024)} KiB\n`);
