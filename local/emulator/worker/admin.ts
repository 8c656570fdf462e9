import * as z from 'zod';
import { isSameText } from '../../../src/lib/digest.ts';
import { parseJson } from '../../../src/lib/json.ts';
import { normaliseScope } from '../../../src/authorization/oauth/scopes.ts';
import { getEmulatorAccess } from './access.ts';
import { ALL_SCOPES } from './credentials.ts';
import type { EmulatorEnv } from './environment.ts';
import { refuse } from './gate.ts';
import type { EmulatorParts } from './parts.ts';
import { listContainers, listEntryPage } from './tenant-entries.ts';
import { getEmulatorStore, openTenant, tenantSetup } from './tenant-states.ts';

/** Where the emulator's own program asks; nothing else has its token. */
export const ADMIN_PATH = '/emulator/admin/';
const ADMIN_HEADER = 'x-emulator-admin';

const accountBody = z.strictObject({
  tenant: z.string(),
  project: z.string(),
  name: z.string(),
  scopes: z.array(z.string()).optional(),
  actsFor: z.array(z.string()),
});

/** Sets tenants up, makes accounts, and exports tenants. */
export async function answerAdmin(request: Request, parts: EmulatorParts): Promise<Response> {
  const { env, states, ask } = parts;
  const { pathname, searchParams } = new URL(request.url);
  if (!isSameText(request.headers.get(ADMIN_HEADER) ?? '', env.ADMIN_TOKEN))
    return refuse(404, 'There is no such path.');
  const tenant = searchParams.get('tenant') ?? '';
  switch (`${request.method} ${pathname.slice(ADMIN_PATH.length)}`) {
    case 'POST tenants': {
      const setup = tenantSetup.safeParse(parseJson(await request.text()));
      if (!setup.success) return answerOutcome({ ok: false, detail: explainIssues(setup.error) });
      return answerOutcome(await states.setUp(setup.data));
    }
    case 'POST accounts': {
      const { scopes = ALL_SCOPES, ...account } = accountBody.parse(await request.json());
      const made = await getEmulatorAccess(env).createAccount({ ...account, scopes: scopes.map(normaliseScope) });
      return answerOutcome(made.ok ? made : { ok: false, detail: `account ${account.name}: ${made.reason}` });
    }
    case 'GET tenants':
      return answerOutcome({ ok: true, tenants: states.all() });
    case 'GET export/containers':
      return answerOutcome({ ok: true, containers: await beginExport(tenant, env) });
    case 'GET export/resources':
      return new Response(await streamResources(tenant, env));
    case 'GET export/entries':
      return answerOutcome(await listEntryPage(tenant, searchParams.get('from') ?? '', { env, ask }));
    default:
      return refuse(404, 'There is no such path.');
  }
}

/** Makes a tenant ready to be read: no fault strikes from now on. @returns its containers */
async function beginExport(id: string, env: EmulatorEnv): Promise<readonly string[]> {
  const tenant = await openTenant(id, env);
  await getEmulatorStore(tenant, env).clearFaults(tenant);
  return (await listContainers(id, env)).all;
}

/**
 * The resources of a tenant, as the text of a snapshot. Not in it: what snapshots leave out (credentials, watch channels).
 * A stream, since what objects answer otherwise has a limit.
 */
async function streamResources(id: string, env: EmulatorEnv): Promise<ReadableStream<Uint8Array>> {
  const tenant = await openTenant(id, env);
  return getEmulatorStore(tenant, env).exportText(tenant);
}

const answerOutcome = (outcome: object): Response =>
  Response.json(outcome, { headers: { 'cache-control': 'no-store' } });

const explainIssues = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
