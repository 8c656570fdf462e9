/**
 * Stands in for an object of the platform: it does one call at a time, in the order of their coming, and each takes as
 * long as `ms` says. `POST /?ms=..` goes to an object; with `TARGET` it goes on to the process that has it, as from an
 * isolate elsewhere.
 */
type Env = { TARGET?: string; STUB?: { getByName: (name: string) => { fetch: typeof fetch } } };

export class StubObject {
  #last: Promise<unknown> = Promise.resolve();

  fetch(request: Request): Promise<Response> {
    const ms = Number(new URL(request.url).searchParams.get('ms'));
    const mine = this.#last.then(() => scheduler.wait(ms));
    this.#last = mine;
    return mine.then(() => new Response('done'));
  }
}

export default {
  fetch(request: Request, env: Env): Promise<Response> | Response {
    const url = new URL(request.url);
    if (url.pathname === '/up') return new Response('up');
    if (env.TARGET !== undefined) return fetch(`${env.TARGET}/${url.search}`, { method: 'POST' });
    if (env.STUB === undefined) throw new Error('neither a target nor an object is bound');
    return env.STUB.getByName('only').fetch(new Request(request));
  },
};
