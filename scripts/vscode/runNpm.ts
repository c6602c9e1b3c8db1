import { spawn } from 'node:child_process';

/** Runs npm quietly in `folder`; a failure carries what npm printed. */
export async function runNpm(args: readonly string[], folder: string): Promise<void> {
  const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: withoutParent(process.env),
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  child.stdout.on('data', (data: Buffer) => printed.push(data.toString()));
  child.stderr.on('data', (data: Buffer) => printed.push(data.toString()));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed (${code}):\n${printed.join('').slice(-4000)}`);
}

/** The environment without what an outer npm says about its own package. */
function withoutParent(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const outer = /^npm_(package|lifecycle|command|config_local_prefix|config_noproxy$)/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !outer.test(name)));
}
