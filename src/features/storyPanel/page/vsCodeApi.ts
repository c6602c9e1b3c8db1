interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare const acquireVsCodeApi: () => VsCodeApi;

/** What VS Code gives to a page, once. */
export const vsCode = acquireVsCodeApi();
