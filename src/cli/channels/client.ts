import * as z from 'zod';
import type { Access } from './access.ts';
import { EXIT } from '../core/usage.ts';
import { type ServiceAnswer, parseJson, readServiceProblem, request } from '../buy/service.ts';
import { formatSafeLine } from '../core/safe-text.ts';

/** Most problems of one body or query that are reported. */
const MAX_ERRORS = 10;

/** One call of the operator's interface. Parameters that are undefined are left out. */
export type OperatorCall =
  | { method: 'GET'; path: string; query: Readonly<Record<string, string | undefined>> }
  | { method: 'POST'; path: string; body: Readonly<Record<string, string | number | undefined>> };

/** `detail`: lines for a terminal that say what was refused and what to do. */
export type OperatorCallResult = { ok: true; body: unknown } | { ok: false; exitStatus: number; detail: string };

/** What to do about a refusal, by the `code` of its problem. */
const hints: Readonly<Record<string, string>> = {
  invalid_token: 'A token is good for one resource: give --key <key file>, or a token for this URL.',
  insufficient_scope: 'Grant the service account channels:read, and channels:write for what changes anything.',
  not_found: 'There is no such channel or customer for this token, or this URL is not that of the webhook Worker.',
  already_watched: 'See it with sightline channels list; stop it first to watch it in another way.',
  limit_reached: 'Stop a channel that nobody needs.',
  watch_refused: 'Nothing is watched. Look at --customer, --domain and --subject.',
  whole_customer_only: 'Leave out --domain and --subject, or use a token without a tenant.',
  rate_limited: 'Wait a minute.',
  not_open: 'It has ended; sightline channels create opens another.',
  authorization_unavailable: 'Try again in a moment.',
  unavailable: 'Try again in a moment.',
};

/** Asks the webhook Worker once. Nothing is repeated: what did not go through is said. */
export async function askChannels(
  { origin, token }: Access,
  ask: OperatorCall,
  fetcher: typeof fetch,
): Promise<OperatorCallResult> {
  const answer = await request(origin, buildCallRequest(origin, token, ask), fetcher);
  if (!answer.ok) {
    const exitStatus = answer.reason === 'service_unreachable' ? EXIT.unreachable : EXIT.below;
    return { ok: false, exitStatus, detail: formatSafeLine(`${answer.reason}: ${answer.detail}`) };
  }
  if (answer.status !== 200 && answer.status !== 201) return refuseCall(answer);
  const body = parseJson(answer.text);
  return body === undefined ? refuseUnreadable(origin) : { ok: true, body };
}

/** An answer that is not as documented. */
export const refuseUnreadable = (origin: string): OperatorCallResult & { ok: false } => ({
  ok: false,
  exitStatus: EXIT.below,
  detail: `${origin} answers something else than a webhook Worker: look at --base.`,
});

function buildCallRequest(origin: string, token: string, ask: OperatorCall): Request {
  const url = new URL(ask.path, origin);
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  if (ask.method === 'GET') {
    for (const [name, value] of Object.entries(ask.query)) if (value !== undefined) url.searchParams.set(name, value);
    return new Request(url, { headers });
  }
  const body = JSON.stringify(ask.body); // Leaves out what is undefined.
  return new Request(url, { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } });
}

const errorsSchema = z.object({ errors: z.array(z.object({ pointer: z.string(), message: z.string() })) });

function refuseCall(answer: ServiceAnswer): OperatorCallResult {
  const { code, detail } = readServiceProblem(answer);
  const parsed = errorsSchema.safeParse(parseJson(answer.text));
  const errors = parsed.success ? parsed.data.errors.slice(0, MAX_ERRORS) : [];
  const hint = Object.hasOwn(hints, code) ? hints[code] : undefined;
  const lines = [
    formatSafeLine(`${code}: ${detail}`),
    ...errors.map(
      ({ pointer, message }) => `  ${formatSafeLine(pointer.slice(1) || 'all of it')}: ${formatSafeLine(message)}`,
    ),
    ...(hint === undefined ? [] : [hint]),
  ];
  return { ok: false, exitStatus: answer.status >= 500 ? EXIT.unreachable : EXIT.below, detail: lines.join('\n') };
}
