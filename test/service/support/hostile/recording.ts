import { IncomingMessage, Server } from 'node:http';
import type { Element } from '../../../../src/v3/element.ts';
import type { ReadNames } from './readNames.ts';

/** Names that were asked for since it was made. */
export class Recording {
  root: string | undefined;
  isUpload = false;
  readonly elements = new Set<string>();
  readonly parameters = new Set<string>();
  readonly headers = new Set<string>();
  readonly fields = new Set<string>();

  get size(): number {
    const { root, elements, parameters, headers, fields } = this;
    return Number(root !== undefined) + elements.size + parameters.size + headers.size + fields.size;
  }

  get names(): ReadNames {
    const { root, isUpload, elements, parameters, headers, fields } = this;
    return {
      root,
      isUpload,
      elements: [...elements],
      parameters: [...parameters],
      headers: [...headers],
      fields: [...fields],
    };
  }
}

/** A payload with this key is one of ours: texts that the service keeps as JSON are none. */
export const PAYLOAD_MARK = 'hostile';

let current = new Recording();
const paths = new WeakMap<object, string>();

export function recordInto(recording: Recording): void {
  current = recording;
}

/** A function of `src/v3/fields.ts` that tells for what it is asked. */
export function recorded<A extends readonly unknown[], R>(name: string, read: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    const [element, asked] = args;
    if (!isElement(element) || typeof asked !== 'string') return read(...args);
    if (name === 'expectRoot') {
      current.root = asked;
      return read(...args);
    }
    const path = [...(paths.get(element)?.split('/') ?? []), asked].join('/');
    current.elements.add(path);
    const result = read(...args);
    if (isElement(result)) paths.set(result, path);
    return result;
  };
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && 'children' in value && 'attributes' in value;
}

/** From now on parameters, headers and payloads tell for what they are asked. */
export function recordReaders(): void {
  const { get, getAll, has } = URLSearchParams.prototype;
  const asked = (name: string): string => {
    current.parameters.add(name);
    return name;
  };
  Object.assign(URLSearchParams.prototype, {
    get(this: URLSearchParams, name: string) {
      return get.call(this, asked(name));
    },
    getAll(this: URLSearchParams, name: string) {
      return getAll.call(this, asked(name));
    },
    has(this: URLSearchParams, name: string) {
      return has.call(this, asked(name));
    },
  });
  recordHeaders();
  const { parse } = JSON;
  JSON.parse = (text, reviver) => {
    const value: unknown = parse(text, reviver);
    return isObject(value) && Object.hasOwn(value, PAYLOAD_MARK) ? toldOf(value, []) : value;
  };
}

/** Before a server hands a request over, its headers are put behind a proxy. */
function recordHeaders(): void {
  const { emit } = Server.prototype;
  const traps: ProxyHandler<object> = {
    get(target, name) {
      if (typeof name === 'string') current.headers.add(name);
      return Reflect.get(target, name);
    },
  };
  Server.prototype.emit = function (this: Server, event: string, ...args: unknown[]): boolean {
    const [request] = args;
    if (request instanceof IncomingMessage) {
      Object.defineProperty(request, 'headers', { value: new Proxy(request.headers, traps) });
    }
    return Reflect.apply(emit, this, [event, ...args]);
  };
}

/** Reads like the value; what is asked of it, or of what is in it, is recorded. */
function toldOf(value: unknown, path: readonly string[]): unknown {
  if (!isObject(value)) return value;
  return new Proxy(value, {
    get(target, name) {
      const inside: unknown = Reflect.get(target, name);
      if (typeof name !== 'string' || typeof inside === 'function') return inside;
      if (Array.isArray(target) && name in target) return toldOf(inside, path);
      const own = [...path, name];
      current.fields.add(own.join('/'));
      return toldOf(inside, own);
    },
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
