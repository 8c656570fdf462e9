import type { Context, Next } from 'hono';
import { isTokenForm, readBearerToken } from '../../src/authorization/oauth/tokens.ts';
import { getErrorName } from '../../src/lib/errors.ts';
import { VERSION } from '../../src/lib/product.ts';
import { getCallerAddress } from '../../src/rate-limits/caller-counts.ts';
import { judgeCredential } from '../../src/rate-limits/token-gate.ts';
import { logLine } from '../shared/telemetry.ts';
import { type ControlEnv, readControlSettings } from './bindings/env.ts';
import { findUnsafeControlSettings } from './bindings/unsafe-settings.ts';
import type { ControlAppEnv } from './call-context.ts';

/** What the operator's own token has; no token of a tenant counts here. */
const OPERATOR_SCOPE = 'operator';

/**
 * `GET /checkup`: what a check from outside cannot see of this Worker, for a token of the operator that is for no
 * tenant. To anyone else there is nothing here: the request goes on as any other does.
 * @param unavailable what to answer where no one can say whose token it is
 */
export async function answerCheckup(
  c: Context<ControlAppEnv>,
  next: Next,
  unavailable: () => Response,
): Promise<Response | undefined> {
  const isOperator = await isOperatorCall(c);
  if (isOperator === undefined) return unavailable();
  if (isOperator) return c.json(await readCheckup(c.env), 200, { 'cache-control': 'no-store' });
  await next();
  return undefined;
}

/** Undefined: the token could not be looked at. */
async function isOperatorCall(c: Context<ControlAppEnv>): Promise<boolean | undefined> {
  const authorization = c.req.header('authorization') ?? null;
  const token = readBearerToken(authorization);
  if (token === undefined || !isTokenForm(token)) return false;
  const { CONTROL_URL: url } = readControlSettings(c.env);
  const question = { judge: c.env.AUTHORIZATION, url, caller: getCallerAddress(c.req.raw) };
  const credential = await judgeCredential(authorization, question);
  if (credential.kind === 'unreachable') return undefined;
  if (credential.kind !== 'valid') return false;
  const { props, scope } = credential.valid;
  return props.tenant === undefined && scope.includes(OPERATOR_SCOPE);
}

async function readCheckup(env: ControlEnv) {
  const settings = readControlSettings(env);
  const [push, api, webhook, pdf] = await Promise.all([
    readOr('push_depth', async () => {
      const { backlogCount: messages, backlogBytes: bytes } = await env.PUSH.metrics();
      return { messages, bytes };
    }),
    readOr('api', async () => ({ operators: await env.CONSOLE_ACCESS.hasOperators() })),
    env.CONSOLE_DESK === undefined
      ? { read: true, absent: true }
      : readOr('webhook', async () => ({ next: (await env.CONSOLE_DESK?.survey())?.next ?? null })),
    readOr('pdf', async () => ({ status: await askPdfReader(env) })),
  ]);
  return {
    worker: 'control',
    version: VERSION,
    at: new Date().toISOString(),
    settings: findUnsafeControlSettings(settings),
    queues: [{ name: 'push', ...push }],
    bindings: { api, webhook, pdf },
  };
}

/** Bytes that are no PDF: any answer shows that the Worker is there. */
async function askPdfReader({ PDF_READER }: ControlEnv): Promise<number> {
  const answer = await PDF_READER.fetch('https://pdf.internal/', {
    method: 'POST',
    headers: { 'x-pdf-owner': 'checkup' },
    body: new TextEncoder().encode('%PDF-0'),
  });
  await answer.body?.cancel();
  return answer.status;
}

type Read<T> = ({ read: true } & T) | { read: false };

/** What could not be read is never "nothing". */
async function readOr<T extends object>(what: string, read: () => Promise<T>): Promise<Read<T>> {
  try {
    return { read: true, ...(await read()) };
  } catch (error) {
    logLine({ event: 'checkup_not_read', what, name: getErrorName(error) });
    return { read: false };
  }
}
