import * as z from 'zod';
import { askFor, type Answered, buildJsonPost, type NotReached } from './asking.ts';
import type { CheckPorts } from './check.ts';

/** Tokens of the checks end with this client, which is removed at the end; what a broken run left is removed by the next. */
const CLIENT_NAME = 'sightline doctor';
/** A client of another run that is under way is younger. */
const LEFT_BEHIND_MS = 10 * 60_000;
const MAX_CLIENTS_SEEN = 200;
const SCOPES = ['operator', 'audit:run'] as const;

const signedInSchema = z.object({ csrf: z.string().regex(/^[0-9a-f]{64}$/) });
const clientSchema = z.object({
  client: z.object({ id: z.string().regex(/^[\w-]{1,100}$/) }),
  secret: z.string().min(1).max(200),
});
const clientsSchema = z.object({
  clients: z.array(z.object({ id: z.string(), name: z.string(), created_at: z.iso.datetime({ offset: true }) })),
});
const tokenSchema = z.object({ access_token: z.string().regex(/^[\x21-\x7E]{1,4096}$/) });

/** Headers of an operator's session at the api Worker. */
export type OperatorSession = { api: string; headers: Readonly<Record<string, string>> };

export type SignInAttempt =
  | { ok: true; session: OperatorSession }
  | {
      ok: false;
      reason: 'no_operators' | 'wrong_secret' | 'too_many_attempts' | 'not_reached' | 'unreadable';
      detail: string;
    };

/** Signs in once: a wrong secret is counted, so it is never tried again. */
export async function signInOperator(api: string, secret: string, ports: CheckPorts): Promise<SignInAttempt> {
  const answer = await askFor(ports, `${api}/signin/operator`, buildJsonPost({ secret }));
  if (!answer.reached) return { ok: false, reason: 'not_reached', detail: answer.why };
  const detail = `${answer.url} answers ${answer.status}`;
  if (answer.status === 404) return { ok: false, reason: 'no_operators', detail };
  if (answer.status === 429) return { ok: false, reason: 'too_many_attempts', detail };
  if (answer.status === 401 || answer.status === 403) return { ok: false, reason: 'wrong_secret', detail };
  const parsed = signedInSchema.safeParse(answer.json);
  // The last one of a name counts: the session that the sign-in made.
  const cookie = answer.headers.getSetCookie().at(-1)?.split(';', 1)[0] ?? '';
  if (answer.status !== 200 || !parsed.success || cookie === '') return { ok: false, reason: 'unreadable', detail };
  return { ok: true, session: { api, headers: { cookie, 'x-csrf-token': parsed.data.csrf } } };
}

export const askAsOperator = (
  { api, headers }: OperatorSession,
  path: string,
  ports: CheckPorts,
): Promise<Answered | NotReached> => askFor(ports, `${api}${path}`, { headers });

/** Ends the session, and with it nothing else. */
export async function signOutOperator({ api, headers }: OperatorSession, ports: CheckPorts): Promise<void> {
  await askFor(ports, `${api}/signout`, buildJsonPost({ csrf: headers['x-csrf-token'] }, headers));
}

/** A client of the operator's that gets tokens, for as long as the checks go on. */
export type CheckClient = { id: string; secret: string };

/** What was asked for and is not there; `isUnknown` where no answer came, which is no refusal. */
export type NotGiven = { ok: false; isUnknown: boolean; why: string };

const describeNotGiven = (answer: Answered | NotReached): NotGiven =>
  answer.reached
    ? { ok: false, isUnknown: false, why: `${answer.url} answers ${answer.status}` }
    : { ok: false, isUnknown: true, why: answer.why };

/** Makes the client, after removing those that an interrupted check left behind. */
export async function createCheckClient(
  { api, headers }: OperatorSession,
  resources: readonly string[],
  ports: CheckPorts,
): Promise<{ ok: true; client: CheckClient } | NotGiven> {
  await removeLeftBehind({ api, headers }, ports);
  const body = { grant: 'client_credentials', name: CLIENT_NAME, scopes: SCOPES, resources };
  const answer = await askFor(ports, `${api}/operator/clients`, buildJsonPost(body, headers));
  const parsed = answer.reached && answer.status === 201 ? clientSchema.safeParse(answer.json) : undefined;
  if (parsed?.success !== true) return describeNotGiven(answer);
  return { ok: true, client: { id: parsed.data.client.id, secret: parsed.data.secret } };
}

/** Removes the client and its tokens. */
export async function removeCheckClient(
  { api, headers }: OperatorSession,
  id: string,
  ports: CheckPorts,
): Promise<void> {
  await askFor(ports, `${api}/operator/clients/${id}`, { method: 'DELETE', headers });
}

async function removeLeftBehind(session: OperatorSession, ports: CheckPorts): Promise<void> {
  const answer = await askAsOperator(session, '/operator/clients', ports);
  const parsed = answer.reached ? clientsSchema.safeParse(answer.json) : undefined;
  if (parsed?.success !== true) return;
  const beforeMs = ports.now() - LEFT_BEHIND_MS;
  for (const { id, name, created_at: createdAt } of parsed.data.clients.slice(0, MAX_CLIENTS_SEEN))
    if (name === CLIENT_NAME && Date.parse(createdAt) < beforeMs && /^[\w-]{1,100}$/.test(id))
      await removeCheckClient(session, id, ports);
}

/** An access token of the client for one resource (RFC 6749, section 4.4). */
export async function requestCheckToken(
  api: string,
  { id, secret }: CheckClient,
  resource: string,
  ports: CheckPorts,
): Promise<{ ok: true; token: string } | NotGiven> {
  const answer = await askFor(ports, `${api}/oauth/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      authorization: `Basic ${btoa(`${id}:${secret}`)}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource }).toString(),
  });
  const parsed = answer.reached && answer.status === 200 ? tokenSchema.safeParse(answer.json) : undefined;
  return parsed?.success === true ? { ok: true, token: parsed.data.access_token } : describeNotGiven(answer);
}
