/** The one log, as code below `host` sees it. Never give it a token, a query string or a body. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string | Error): void;
}
