import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** One client with one kept connection. */
export interface Asker {
  /** Gives the milliseconds until the answer is there, of which `tell` is told. Throws when it is not 200. */
  time(method: string, path: string, tell?: (body: string) => void): Promise<number>;
  end(): void;
}

/** `url` is that of the service; paths are those of the API. */
export function asker(url: string, token: string): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    time: async (method, path, tell) => {
      const begun = performance.now();
      const body = await ask(agent, method, `${url}/services/v3${path}`, token);
      const milliseconds = performance.now() - begun;
      tell?.(body.toString());
      return milliseconds;
    },
    end: () => agent.destroy(),
  };
}

function ask(agent: Agent, method: string, url: string, token: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-ServiceToken': token, ...(method !== 'GET' && { 'Content-Length': 0 }) };
    const sent = request(url, { agent, method, headers }, (response) => {
      const answered = buffer(response);
      if (response.statusCode === 200) answered.then(resolve, reject);
      else answered.then((body) => reject(new Error(`${response.statusCode}: ${body}`)), reject);
    });
    sent.once('error', reject).end();
  });
}
