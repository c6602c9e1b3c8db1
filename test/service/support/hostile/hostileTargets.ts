import { AGENT_PATH } from '../../../../src/core/ports/connection.ts';
import { type EndpointName, type EndpointParams, endpointPath, endpoints } from '../../../../src/v3/endpoints.ts';
import { type PageName, pageNames, type TargetName } from './readNames.ts';

type ParamName = { [N in EndpointName]: keyof EndpointParams<N> }[EndpointName];

/** Something that is there for each name that a path of the endpoint table has, and the addresses of pages. */
export type ParamIds = Readonly<Record<ParamName, number>> & {
  /** In the same project. */
  readonly otherStoryId: number;
  readonly pages: Readonly<Record<'download' | 'preferences' | 'invitation', string>>;
};

export interface Target {
  readonly method: string;
  /** From the root on. */
  readonly path: string;
}

const endpointNames = Object.keys(endpoints) as EndpointName[];
export const targetNames: readonly TargetName[] = [...endpointNames, ...pageNames];

const pages: Readonly<Record<PageName, (ids: ParamIds) => Target>> = {
  health: () => ({ method: 'GET', path: '/healthz' }),
  storyPage: ({ storyId }) => ({ method: 'GET', path: `/story/show/${storyId}` }),
  download: (ids) => ({ method: 'GET', path: ids.pages.download }),
  preferences: (ids) => ({ method: 'GET', path: ids.pages.preferences }),
  choosePreferences: (ids) => ({ method: 'POST', path: ids.pages.preferences }),
  formerVersion: () => ({ method: 'GET', path: '/services/v1/projects' }),
  account: () => ({ method: 'GET', path: '/account' }),
  pressAccount: () => ({ method: 'POST', path: '/account' }),
  password: () => ({ method: 'GET', path: '/password' }),
  changePassword: () => ({ method: 'POST', path: '/password' }),
  invitation: (ids) => ({ method: 'GET', path: ids.pages.invitation }),
  acceptInvitation: (ids) => ({ method: 'POST', path: ids.pages.invitation }),
  agents: () => ({ method: 'POST', path: AGENT_PATH }),
};

export function isEndpoint(name: TargetName): name is EndpointName {
  return Object.hasOwn(endpoints, name);
}

export function targetOf(name: TargetName, ids: ParamIds): Target {
  if (!isEndpoint(name)) return pages[name](ids);
  return { method: endpoints[name].method, path: endpointPath(name, ids) };
}
