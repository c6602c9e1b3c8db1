import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const driver = fileURLToPath(new URL('../../../node_modules/pg', import.meta.url));

/**
 * What the page for a team finds on a server, below a folder: its commands are run as they are, but for where they reach. Of what would
 * change the machine itself there are stand-ins, which do what their command does as far as the page uses it.
 */
export class TeamServer {
  readonly folder: string;
  readonly port: number;
  private readonly database: URL | undefined;

  private constructor(folder: string, port: number, database: URL | undefined) {
    this.folder = folder;
    this.port = port;
    this.database = database;
  }

  /** `database` is of a PostgreSQL server, if one is used. */
  static async prepare(folder: string, port: number, database?: string): Promise<TeamServer> {
    const server = new TeamServer(folder, port, database === undefined ? undefined : new URL(database));
    for (const place of ['opt', 'etc/systemd/system', 'var/lib', 'var/backups', 'bin'])
      await mkdir(join(folder, place), { recursive: true });
    for (const [name, script] of Object.entries(STAND_INS)) {
      const program = join(folder, 'bin', name);
      await writeFile(program, `#!/bin/bash\nset -eu\n${server.placed(script)}`);
      await chmod(program, 0o755);
    }
    return server;
  }

  /** Runs a script in one shell, in the folder; gives what it prints. */
  async run(script: string): Promise<string> {
    const path = [join(this.folder, 'bin'), dirname(process.execPath), process.env.PATH].join(':');
    const file = join(this.folder, 'page.sh');
    await writeFile(file, `set -eu -o pipefail\n${this.placed(script)}`);
    const options = {
      cwd: this.folder,
      env: { PATH: path, ROOT: this.folder, DRIVER: driver, SERVER: this.database?.href },
    };
    const { stdout } = await promisify(execFile)('bash', [file], options);
    return stdout;
  }

  /** The folders of the machine, the port and the database are those of this server. */
  private placed(text: string): string {
    return text
      .replace(/(?<![\w.-])\/(?=(?:opt|etc|var)\b)/g, `${this.folder}/`)
      .replaceAll('8080', String(this.port))
      .replaceAll('%2Frun%2Fpostgresql', this.database?.host ?? '');
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }

  /** Stops the service if it runs. */
  async stop(): Promise<void> {
    await this.run('systemctl stop story-tracker');
  }
}

/** Everything is owned by one user here, and the unit's command is run as systemd does. */
const STAND_INS: Readonly<Record<string, string>> = {
  sudo: 'if [ "$1" = -u ]; then shift 2; fi\nexec "$@"\n',
  useradd: 'echo "$@" >> /var/useradd\n',
  install: `args=()\nwhile [ $# -gt 0 ]; do if [ "$1" = -o ]; then shift; else args+=("$1"); fi; shift; done\nexec /usr/bin/install "\${args[@]}"\n`,
  createuser: `exec sql "create role \\"$1\\" login"\n`,
  createdb: `exec sql "create database \\"\${!#}\\" owner \\"\${!#}\\" encoding 'UTF8' template template0"\n`,
  sql: `exec node -e 'const { Client } = require(process.env.DRIVER);
    const client = new Client({ connectionString: process.env.SERVER });
    client.connect().then(() => client.query(process.argv[1])).finally(() => client.end());' "$1"\n`,
  systemctl: `start() {
  mkdir -p /var/lib/story-tracker
  set -a; . /etc/story-tracker/service.env; set +a
  line=$(sed -nE "s#(^|[ =])/(opt|var)/#\\1$ROOT/\\2/#g; s#^ExecStart=##p" /etc/systemd/system/story-tracker.service)
  nohup bash -c "exec $line" >> /var/journal 2>&1 < /dev/null &
  echo $! > /var/pid
}
stop() {
  [ -e /var/pid ] || return 0
  kill -TERM "$(cat /var/pid)" 2> /dev/null || true
  while kill -0 "$(cat /var/pid)" 2> /dev/null; do sleep 0.05; done
  rm /var/pid
}
case "$1" in
  daemon-reload) ;;
  enable | start) start ;;
  stop) stop ;;
  restart) stop; start ;;
  *) echo "unknown: $*" >&2; exit 1 ;;
esac
`,
};
