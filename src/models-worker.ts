import type { Ai } from '@cloudflare/workers-types';
import { WorkerEntrypoint } from 'cloudflare:workers';
import { answerMakers } from './models/registry.ts';
import { answerModelCall } from './visibility/remote/answer-call.ts';

type ModelsEnv = { AI?: Ai };

/**
 * Asks answer engines for the api Worker, one prompt a call, and says whether a text is an answer. It has a Worker of its
 * own because the SDKs of vendors and the word lists are a quarter of what the api Worker would be. It stores nothing and
 * has no settings: each call brings the engine and its key.
 */
export class Models extends WorkerEntrypoint<ModelsEnv> {
  override async fetch(request: Request): Promise<Response> {
    return answerModelCall(request, answerMakers, { fetch: (input, init) => fetch(input, init), ai: this.env.AI });
  }
}

/** Nothing is open to the internet. */
export default { fetch: (): Response => new Response(null, { status: 404 }) };
