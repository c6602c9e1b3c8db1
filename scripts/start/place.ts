/** Where `npm start` works; all absolute. */
export interface Place {
  /** The extension. */
  readonly root: string;
  /** `.start`, which keeps everything between two starts. */
  readonly home: string;
  /** The demo project that is opened. */
  readonly folder: string;
}
