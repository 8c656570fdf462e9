import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { serviceScopes, VENDOR_SCOPE_PREFIX } from '../src/authorization/oauth/scopes.ts';
import { VENDOR_SCOPES } from '../src/authorization/oauth/vendor-scopes-data.ts';
import { requestTokenByKey } from '../src/cli/login/key-token.ts';
import type { StackFile } from '../src/cli/buy/wallet.ts';
import { writeOwnFile } from './stack-file.ts';

const TIMEOUT_MS = 20_000;
/** The tenant of the local stack, as its documentation names it. */
export const TENANT = { customerId: 'C00000001', domain: 'example.com', project: 'local' } as const;

const ACCOUNT_NAME = 'local operator';

const signedInSchema = z.object({ ok: z.literal(true), csrf: z.string() });
const accountSchema = z.object({ account: z.object({ id: z.string() }) });
const accountsSchema = z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })) });
const keySchema = z.object({ file: z.looseObject({ type: z.literal('service_account') }) });

export type OperatorAccess = { access: NonNullable<StackFile['operator']>; forget: () => void };

export type OperatorOrder = {
  /** The operator secret. */
  secret: string;
  keyFile: string;
  /** What the first token is for: the control Worker's origin; the account's own default when undefined. */
  resource: string | undefined;
  /** Directory customer of another tenant than the local one. */
  tenant?: string;
  /** Whether the account takes the place of one that an earlier start of the same state made. */
  replacesFormer?: boolean;
  /** Users that the account may act for: domain-wide delegation. */
  actsFor?: readonly string[];
};

/**
 * Signs in as the operator as anyone would, makes a service account with every scope, writes its key to `keyFile` and
 * gets a first token by it. Undefined where the Worker has no operator sign-in: an entry of a test, or an empty secret.
 * @throws Error saying which step was answered with what.
 */
export async function createOperatorAccess(
  api: string,
  { secret, keyFile, resource, tenant = TENANT.customerId, actsFor = [], replacesFormer = false }: OperatorOrder,
): Promise<OperatorAccess | undefined> {
  const signIn = await post(`${api}/signin/operator`, { secret });
  if (signIn.status === 404) return undefined;
  // The last one of a name counts: the session that the sign-in made, after that of a browser without one.
  const cookie = signIn.headers.getSetCookie().at(-1)?.split(';', 1)[0] ?? '';
  const { csrf } = await read(signIn, signedInSchema);
  const headers = { cookie, 'x-csrf-token': csrf };
  if (replacesFormer) await removeFormerAccounts(api, headers);
  const scopes = [...Object.keys(serviceScopes), ...VENDOR_SCOPES.map((name) => `${VENDOR_SCOPE_PREFIX}${name}`)];
  const body = { name: ACCOUNT_NAME, scopes, tenant, project: TENANT.project, acts_for: actsFor };
  const { account } = await read(await post(`${api}/operator/service-accounts`, body, headers), accountSchema);
  const { file } = await read(
    await post(`${api}/operator/service-accounts/${account.id}/keys`, {}, headers),
    keySchema,
  );
  const forget = writeOwnFile(file, keyFile);
  const token = await requestTokenByKey({ keyFile: readFileSync(keyFile, 'utf8'), resource }, fetch, Date.now());
  if (token.ok) return { access: { token: token.accessToken, keyFile, secret, ...TENANT, customerId: tenant }, forget };
  forget();
  throw new Error(`The local operator got no token: ${token.reason}: ${token.detail}`);
}

/** State that stays from an earlier start has the account of that start. Its key file is gone, so it is of no use. */
async function removeFormerAccounts(api: string, headers: Record<string, string>): Promise<void> {
  const all = `${api}/operator/service-accounts`;
  const limits = { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const { accounts } = await read(await fetch(all, limits), accountsSchema);
  for (const { id } of accounts.filter(({ name }) => name === ACCOUNT_NAME))
    await read(await fetch(`${all}/${id}`, { ...limits, method: 'DELETE' }), z.object({ name: z.string() }));
}

const post = (url: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });

async function read<T>(answer: Response, schema: z.ZodType<T>): Promise<T> {
  const text = await answer.text();
  const parsed = answer.ok ? schema.safeParse(JSON.parse(text)) : undefined;
  if (parsed?.success) return parsed.data;
  const { pathname } = new URL(answer.url); // What a refusal says holds no secret; a success could.
  throw new Error(`${pathname} answers ${answer.status}: ${answer.ok ? 'another shape' : text.slice(0, 300)}`);
}
