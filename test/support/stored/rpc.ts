import * as z from 'zod';
import { readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';

/** Answers of a chain: results by method and parameters. */
export type RpcAnswers = Record<string, unknown>;

const callSchema = z.looseObject({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) });
type Call = z.infer<typeof callSchema>;
const requestSchema = z.union([z.array(callSchema), callSchema]);

/**
 * A chain that gives the answers of another day, each the last of its kind. With `chain` it asks that one, and keeps what it
 * says in `answers`.
 */
export async function startRpc(answers: RpcAnswers, chain?: string) {
  const one = async ({ id, method, params }: Call): Promise<object> => {
    const key = JSON.stringify([method, ...params]);
    if (chain !== undefined) {
      const asked = await fetch(chain, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      });
      const answer = (await asked.json()) as { result?: unknown };
      if ('result' in answer) answers[key] = answer.result;
      return answer;
    }
    return key in answers
      ? { jsonrpc: '2.0', id, result: answers[key] }
      : { jsonrpc: '2.0', id, error: { code: -32_000, message: `not recorded: ${key}` } };
  };
  return startHttpServer(async (request, response) => {
    const asked = requestSchema.parse(JSON.parse(await readBody(request)));
    sendJson(response, 200, Array.isArray(asked) ? await Promise.all(asked.map(one)) : await one(asked));
  });
}
