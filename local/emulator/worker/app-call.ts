import * as z from 'zod';

/** Calls the app as the operator of a tenant: a POST where there is a body. */
export type AppCall = (tenant: string, path: string, body?: object) => Promise<Response>;

export type CallOutcome = { ok: true } | { ok: false; detail: string };

export const DONE = { ok: true } as const;
export const explain = (detail: string): CallOutcome => ({ ok: false, detail });

/** Whether a call was answered well; else why not, with the tenant's id. */
export async function post(id: string, path: string, body: object, ask: AppCall): Promise<CallOutcome> {
  const answer = await ask(id, path, body);
  if (!answer.ok) return explain(`${id}: ${await readMessage(answer)}`);
  await answer.body?.cancel();
  return DONE;
}

/** What a refusal says. */
export async function readMessage(answer: Response): Promise<string> {
  const parsed = z.object({ error: z.object({ message: z.string() }) }).safeParse(await answer.json());
  return parsed.success ? parsed.data.error.message : `HTTP ${answer.status}`;
}
