/**
 * What the worker's bundle gets for `undici`: its connections without fetch, caches, mocks and WebSockets, which nothing here
 * uses. A name that is not here fails the build.
 */
import request from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

Dispatcher.prototype.request = request;

export { Agent, buildConnector };
