import type { Webview } from 'vscode';
import { isCancelled, messageOf } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import type { ToPage } from './panelMessages.ts';
import { RefusedField } from './storyFields.ts';

/** The page of a story's tab, as what may be told something. VS Code throws it away while it is hidden. */
export class PanelPage {
  /** Its tab may show another story by then. */
  isClosed = false;
  private readonly log: App['log'];
  private readonly webview: Pick<Webview, 'postMessage'>;
  private waiting: readonly ToPage[] = [];

  constructor(log: App['log'], webview: Pick<Webview, 'postMessage'>) {
    this.log = log;
    this.webview = webview;
  }

  /** What became of texts while the page was not there to hear it. */
  get untold(): readonly ToPage[] {
    return this.waiting;
  }

  async tell(message: ToPage): Promise<boolean> {
    return !this.isClosed && this.webview.postMessage(message);
  }

  /** Now, or when the page is there again. */
  async tellSurely(message: ToPage): Promise<void> {
    if (!(await this.tell(message))) this.waiting = [...this.waiting, message];
  }

  /** The page is there again. */
  async tellUntold(): Promise<void> {
    const { waiting } = this;
    this.waiting = [];
    for (const message of waiting) await this.tellSurely(message);
  }

  /** Why something was not done, at its field where it is about one. */
  async tellProblem(thrown: unknown): Promise<void> {
    this.log.error(thrown instanceof Error ? thrown : String(thrown));
    const field = thrown instanceof RefusedField ? { field: thrown.field } : {};
    await this.tell({ type: 'problem', text: isCancelled(thrown) ? '' : messageOf(thrown), ...field });
  }
}
