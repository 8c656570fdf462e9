import { env, exports } from 'cloudflare:workers';
import { get, post, signedCredential } from '../world.ts';

export type Bought = {
  capability: string;
  report_id: string;
  publish_token?: string;
  payment: unknown;
  scores: Record<string, { score: number }>;
};

export type History = {
  host: string;
  url: string;
  entries: { report_id: string; at: string; report?: string; statuses: Record<string, string>; scores: unknown }[];
  changes: { from: string; to: string; points: Record<string, number>; new_passes: { id: string }[] } | null;
};

/** A credential and the body that it was used with, to be sent again. */
export type Order = { capability: string; credential: string; body: string };

export async function orderOf(body: Record<string, unknown>, capability = 'full_audit'): Promise<Order> {
  return { capability, credential: await signedCredential(capability), body: JSON.stringify(body) };
}

/** Buys a report of a site, four scores unless said otherwise. */
export async function buy(body: Record<string, unknown> = {}, capability = 'full_audit'): Promise<Bought> {
  const answer = await post(await orderOf({ url: 'https://shop.example/', ...body }, capability));
  if (answer.status !== 200) throw new Error(`not sold: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Bought;
}

type Sent = { headers?: Record<string, string>; body?: string | URLSearchParams };

let callers = 0;

/** `POST /reports/{id}/{verb}` with a token as JSON, or with what a test says. */
export function tell(verb: 'publish' | 'unpublish', id: string, token: string, sent: Sent = {}): Promise<Response> {
  callers += 1;
  const body = sent.body ?? JSON.stringify({ publish_token: token });
  return exports.default.fetch(
    new Request(`${env.BASE_URL}/reports/${id}/${verb}`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'cf-connecting-ip': `203.0.113.${callers % 250}`,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...sent.headers,
      },
      body,
    }),
  );
}

export const badge = async (host: string, query = ''): Promise<string> =>
  (await get(`/badge/${host}.svg${query}`)).text();

export async function historyOf(host: string, query = ''): Promise<History | undefined> {
  const answer = await get(`/history/${host}.json${query}`);
  return answer.status === 404 ? undefined : ((await answer.json()) as History);
}
