import * as z from 'zod';
import {
  askFor,
  type CheckName,
  describeNotReached,
  failCheck,
  leaveUnknown,
  acceptCheck,
  warnCheck,
} from './asking.ts';
import type { CheckOrder, CheckPorts, DeploymentCheck, WorkerName } from './check.ts';

const SERVER_PATH = '/.well-known/oauth-authorization-server';
const RESOURCE_PATH = '/.well-known/oauth-protected-resource';

const serverSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  protected_resources: z.array(z.string()).default([]),
  code_challenge_methods_supported: z.array(z.string()).default([]),
});
type Server = z.infer<typeof serverSchema>;
const resourceSchema = z.object({ resource: z.string(), authorization_servers: z.array(z.string()).min(1) });

const serverName: CheckName = {
  id: 'oauth.server',
  title: 'The metadata of the authorization server is its own (RFC 8414)',
};

/** Metadata of the authorization server, and that of each Worker that takes its tokens (RFC 8414, RFC 9728). */
export async function checkOauth({ addresses }: CheckOrder, ports: CheckPorts): Promise<readonly DeploymentCheck[]> {
  const { api, control, webhook } = addresses;
  const answer = await askFor(ports, `${api}${SERVER_PATH}`);
  const parsed = answer.reached && answer.status === 200 ? serverSchema.safeParse(answer.json) : undefined;
  const server = parsed?.success === true ? parsed.data : undefined;
  const own = answer.reached
    ? judgeServer(server, api, answer.status)
    : leaveUnknown(serverName, describeNotReached(answer));
  const resources = [
    { worker: 'api' as const, resource: `${api}/mcp-account`, url: `${api}${RESOURCE_PATH}/mcp-account` },
    ...Object.entries({ control, webhook }).flatMap(([worker, origin]) =>
      origin === undefined
        ? []
        : [{ worker: worker as WorkerName, resource: origin, url: `${origin}${RESOURCE_PATH}` }],
    ),
  ];
  return [own, ...(await Promise.all(resources.map((one) => checkResource(one, { api, server }, ports))))];
}

const SET_BASE_URL = 'Set BASE_URL of the api Worker to its public address';

function judgeServer(server: Server | undefined, api: string, status: number): DeploymentCheck {
  const name = serverName;
  if (server === undefined)
    return failCheck(name, `${api}${SERVER_PATH} answers ${status} without metadata`, SET_BASE_URL);
  if (server.issuer !== api) return failCheck(name, `The issuer is ${server.issuer}, not ${api}`, SET_BASE_URL);
  const { authorization_endpoint: authorize, token_endpoint: token } = server;
  const foreign = [authorize, token].find((url) => !URL.canParse(url) || new URL(url).origin !== api);
  if (foreign !== undefined) return failCheck(name, `The endpoint ${foreign} is not at ${api}`, SET_BASE_URL);
  if (!server.code_challenge_methods_supported.includes('S256'))
    return failCheck(name, 'It does not support PKCE with S256', 'Deploy the released version');
  return acceptCheck(name, `issuer ${server.issuer}`);
}

type Resource = { worker: WorkerName; resource: string; url: string };

async function checkResource(
  { worker, resource, url }: Resource,
  { api, server }: { api: string; server: Server | undefined },
  ports: CheckPorts,
): Promise<DeploymentCheck> {
  const name: CheckName = {
    id: `oauth.resource.${worker}`,
    title: `The ${worker} Worker takes tokens of this authorization server (RFC 9728)`,
  };
  const answer = await askFor(ports, url);
  if (!answer.reached) return leaveUnknown(name, describeNotReached(answer));
  const parsed = resourceSchema.safeParse(answer.json);
  const setting = worker === 'api' ? 'BASE_URL' : `${worker.toUpperCase()}_URL`;
  if (answer.status !== 200 || !parsed.success)
    return failCheck(
      name,
      `${url} answers ${answer.status} without metadata`,
      `Set ${setting} of the ${worker} Worker`,
    );
  const { resource: named, authorization_servers: servers } = parsed.data;
  if (named !== resource)
    return failCheck(name, `It is about ${named}, not about ${resource}`, `Set ${setting} of the ${worker} Worker`);
  if (!servers.includes(api))
    return failCheck(name, `It names ${servers.join(', ')}, not ${api}`, `Set BASE_URL of the ${worker} Worker`);
  if (server !== undefined && !server.protected_resources.includes(resource))
    return warnCheck(
      name,
      `The authorization server does not list ${resource}, so it gives no tokens for it`,
      `Set ${setting} of the api Worker`,
    );
  return acceptCheck(name, resource);
}
