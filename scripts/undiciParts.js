/**
 * What the worker's bundle gets for `undici`: its connections without fetch, caches, mocks and WebSockets, which nothing here
 * uses. A name that is not here fails the build.
 */
import api from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector };
