import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Access } from '../../core/ports/connection.ts';
import type { BuiltInService } from '../../host/accounts/accounts.ts';
import { builtInSettings } from '../../host/shell/settings.ts';
import type { ServiceProcess } from './serviceProcess.ts';

/** The service on this machine: started on first use, again when it was ended or its settings changed. */
export class LocalService implements BuiltInService {
  private readonly script: string;
  private readonly log: Log;
  private running: { readonly service: ServiceProcess; readonly args: string } | undefined;

  constructor(script: string, log: Log) {
    this.script = script;
    this.log = log;
  }

  /** @throws TrackerError `unreachable` when the service does not start. */
  async access(): Promise<Access> {
    return this.started(async () => (await this.service()).access);
  }

  /**
   * Has another process of the service fill the same data with it: the one that serves goes on at its address.
   * @throws TrackerError `unreachable` when it does not start.
   */
  async addDemoProject(): Promise<void> {
    const { ServiceProcess } = await import('./serviceProcess.ts');
    const service = new ServiceProcess(this.script, serviceArguments({ isDemo: true }), this.log);
    await this.started(() => service.access);
    await service.stop();
  }

  async stop(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    await running?.service.stop();
  }

  private async started<T>(access: () => Promise<T>): Promise<T> {
    try {
      return await access();
    } catch (thrown) {
      this.log.error(thrown instanceof Error ? thrown : String(thrown));
      throw new TrackerError(
        'unreachable',
        vscode.l10n.t('Could not start the built-in service. For details, run "Story Tracker: Show Log".'),
        { cause: thrown },
      );
    }
  }

  private async service(): Promise<ServiceProcess> {
    const { ServiceProcess } = await import('./serviceProcess.ts');
    // No waiting from here on, so that calls at the same time share one process.
    const args = serviceArguments();
    const wanted = JSON.stringify(args);
    if (this.running?.args === wanted && this.running.service.alive) return this.running.service;
    void this.running?.service.stop();
    const service = new ServiceProcess(this.script, args, this.log);
    this.running = { service, args: wanted };
    return service;
  }
}

function serviceArguments({ isDemo = false } = {}): readonly string[] {
  const { demoProject, dataFolder } = builtInSettings();
  return [
    ...['serve', '--embedded', '--json'],
    ...(demoProject || isDemo ? ['--demo'] : []),
    ...(dataFolder === '' ? [] : ['--data', dataFolder]),
  ];
}
