import * as vscode from 'vscode';

interface View {
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
}

/** Our views, and whether a person can see one of them. */
export class ShownViews {
  private readonly views: View[] = [];
  private readonly changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.changed.event;

  get isAnyVisible(): boolean {
    return this.views.some(({ visible }) => visible);
  }

  add(view: View): vscode.Disposable {
    this.views.push(view);
    return view.onDidChangeVisibility(() => this.changed.fire());
  }

  /** Runs once, when a view is shown for the first time, and disposes what that gives. */
  onFirst(run: () => Promise<vscode.Disposable>): vscode.Disposable {
    let made: Promise<vscode.Disposable> | undefined;
    const listening = this.onDidChange(() => {
      if (this.isAnyVisible) made ??= run();
    });
    const disposeMade = () => void made?.then((one) => one.dispose());
    return vscode.Disposable.from(listening, { dispose: disposeMade });
  }
}
