import * as z from 'zod';
import { askFor } from './asking.ts';
import type { CheckPorts, WorkerAddresses } from './check.ts';

/** Resources that are looked at: a deployment has three. */
const MAX_RESOURCES = 5;

const serverSchema = z.object({ protected_resources: z.array(z.string().max(2_048)).default([]) });
const resourceSchema = z.object({ scopes_supported: z.array(z.string()).default([]) });

/** What the webhook Worker alone has scopes for. */
const WEBHOOK_SCOPE = 'channels:read';

/** The Workers of a deployment: those that are named, and those that its authorization server names as its resources. */
export async function discoverAddresses(named: WorkerAddresses, ports: CheckPorts): Promise<WorkerAddresses> {
  if (named.control !== undefined && named.webhook !== undefined) return named;
  const answer = await askFor(ports, `${named.api}/.well-known/oauth-authorization-server`);
  const server = answer.reached ? serverSchema.safeParse(answer.json) : undefined;
  if (server?.success !== true) return named;
  const found: Omit<WorkerAddresses, 'api'> = {};
  const unread: string[] = [];
  for (const resource of server.data.protected_resources.slice(0, MAX_RESOURCES)) {
    const origin = parseOtherOrigin(resource, named.api);
    if (origin === undefined) continue;
    const metadata = await askFor(ports, `${origin}/.well-known/oauth-protected-resource`);
    const parsed = metadata.reached ? resourceSchema.safeParse(metadata.json) : undefined;
    if (parsed?.success === true)
      found[parsed.data.scopes_supported.includes(WEBHOOK_SCOPE) ? 'webhook' : 'control'] ??= origin;
    else unread.push(origin);
  }
  // One that does not say what it is takes the place that is left, so that it is checked. Of two, the server names webhook first.
  const left = (['control', 'webhook'] as const).filter((worker) => (named[worker] ?? found[worker]) === undefined);
  for (const [at, worker] of left.slice(0, unread.length).toReversed().entries()) found[worker] = unread[at];
  return { ...found, ...dropAbsent(named), api: named.api };
}

/** The origin of another Worker: as safe to ask as the api Worker itself, by https wherever that is. */
function parseOtherOrigin(resource: string, api: string): string | undefined {
  if (!URL.canParse(resource)) return undefined;
  const { origin, protocol } = new URL(resource);
  return origin === api || protocol !== new URL(api).protocol ? undefined : origin;
}

const dropAbsent = ({ control, webhook }: WorkerAddresses) => ({
  ...(control === undefined ? {} : { control }),
  ...(webhook === undefined ? {} : { webhook }),
});
