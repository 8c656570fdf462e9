import { listDurableObjectIds } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { CONTROL_URL, tokenFor } from '../../support/workers/control-tokens.ts';
import { type Sent, sendToWorker } from '../../support/stack/send-to-worker.ts';

/** Calls the control Worker with a token of a tenant with every scope, unless told otherwise. */
export const call = (path: string, { token = tokenFor(), ...sent }: Sent = {}): Promise<Response> =>
  sendToWorker(`${CONTROL_URL}${path}`, { token, ...sent });

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A gzip of this. */
export async function gzipOf(content: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export type ErrorAnswer = {
  error: { code: number; message: string; status?: string; errors?: { reason: string; message: string }[] };
};

export const json = async <T>(answer: Response | Promise<Response>): Promise<T> => (await answer).json<T>();

/** `<status> <reason>: <message>` of an answer in the older dialect. */
export async function refusal(answer: Response | Promise<Response>): Promise<string> {
  const { error } = await json<ErrorAnswer>(answer);
  return `${error.code} ${error.errors?.[0]?.reason ?? error.status ?? ''}: ${error.message}`;
}

export const USERS = '/admin/directory/v1/users';
export const GROUPS = '/admin/directory/v1/groups';

/** How many objects of tenants there are by now: their names outlive the end of a test. */
export const objectsOfTenants = async (): Promise<number> => (await listDurableObjectIds(env.RESOURCE_STORE)).length;
