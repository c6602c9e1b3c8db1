/** One thing that happened. Never a token, a query string or a body. */
export interface ServiceEvent {
  readonly event: string;
  readonly [detail: string]: string | number | boolean | undefined;
}

export type ServiceLog = (event: ServiceEvent) => void;

export const silentServiceLog: ServiceLog = () => {};
