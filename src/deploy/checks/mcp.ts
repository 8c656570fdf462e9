import * as z from 'zod';
import { parseJson } from '../../lib/json.ts';
import {
  askFor,
  type Answered,
  buildJsonPost,
  type CheckName,
  describeNotReached,
  failCheck,
  leaveUnknown,
  type NotReached,
  acceptCheck,
} from './asking.ts';
import type { CheckOrder, CheckPorts, DeploymentCheck } from './check.ts';

const names = {
  initialize: { id: 'mcp.initialize', title: 'The MCP endpoint answers initialize' },
  tools: { id: 'mcp.tools', title: 'The MCP endpoint lists the tools of the catalogue' },
  stateless: { id: 'mcp.stateless', title: 'The MCP endpoint answers the revision without sessions' },
} as const satisfies Readonly<Record<string, CheckName>>;

/** With sessions, and without. */
const SESSION_REVISION = '2025-11-25';
const STATELESS_REVISION = '2026-07-28';
const CLIENT = { name: 'sightline-doctor', version: '1' };
/** Pages of tools that are read. */
const MAX_PAGES = 10;

const initializedSchema = z.object({
  result: z.object({ protocolVersion: z.string(), serverInfo: z.object({ name: z.string(), version: z.string() }) }),
});
const toolsSchema = z.object({
  result: z.object({ tools: z.array(z.object({ name: z.string() })), nextCursor: z.string().optional() }),
});
const indexSchema = z.object({ capabilities: z.record(z.string(), z.unknown()) });

/** `initialize` and `tools/list` as clients with sessions send them, and `tools/list` without one. */
export async function checkMcp({ addresses }: CheckOrder, ports: CheckPorts): Promise<readonly DeploymentCheck[]> {
  const url = `${addresses.api}/mcp`;
  const initialized = await sendRpc(ports, url, 'initialize', {
    protocolVersion: SESSION_REVISION,
    capabilities: {},
    clientInfo: CLIENT,
  });
  if (!initialized.reached)
    return Object.values(names).map((name) => leaveUnknown(name, describeNotReached(initialized)));
  const parsed = initializedSchema.safeParse(initialized.message);
  const session = initialized.headers.get('mcp-session-id');
  if (initialized.status === 429) return [leaveUnknown(names.initialize, `${url} answers 429`, 'Wait a minute')];
  if (!parsed.success || session === null)
    return [failCheck(names.initialize, `${url} answers ${initialized.status} without a session`, READ_LOG)];
  const { protocolVersion, serverInfo } = parsed.data.result;
  const expected = await readCatalogueNames(ports, addresses.api);
  const results = [
    acceptCheck(names.initialize, `${serverInfo.name} ${serverInfo.version}, revision ${protocolVersion}`),
    await checkTools(names.tools, expected, (cursor) =>
      sendRpc(ports, url, 'tools/list', cursor, { 'mcp-session-id': session, 'mcp-protocol-version': protocolVersion }),
    ),
    await checkTools(names.stateless, expected, (cursor) =>
      sendRpc(ports, url, 'tools/list', { ...cursor, _meta: STATELESS_META }, STATELESS_HEADERS),
    ),
  ];
  await askFor(ports, url, { method: 'DELETE', headers: { 'mcp-session-id': session } }); // Sessions are counted.
  return results;
}

const READ_LOG = 'Read the log: npx wrangler tail';
const STATELESS_META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS_REVISION,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const STATELESS_HEADERS = { 'mcp-protocol-version': STATELESS_REVISION, 'mcp-method': 'tools/list' };

type RpcAnswer = (Answered & { message: unknown }) | NotReached;

async function sendRpc(
  ports: CheckPorts,
  url: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<RpcAnswer> {
  const accept = 'application/json, text/event-stream';
  const answer = await askFor(
    ports,
    url,
    buildJsonPost({ jsonrpc: '2.0', id: 1, method, params }, { accept, ...headers }),
  );
  return answer.reached ? { ...answer, message: answer.json ?? readEvent(answer.text) } : answer;
}

/** The first message of a stream of events. */
function readEvent(text: string): unknown {
  const line = text.split('\n').find((one) => one.startsWith('data:'));
  return line === undefined ? undefined : parseJson(line.slice('data:'.length).trim());
}

type ListTools = (cursor: Readonly<Record<string, string>>) => Promise<RpcAnswer>;

async function checkTools(name: CheckName, expected: readonly string[], list: ListTools): Promise<DeploymentCheck> {
  const tools = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await list(cursor === undefined ? {} : { cursor });
    if (!answer.reached) return leaveUnknown(name, describeNotReached(answer));
    const parsed = toolsSchema.safeParse(answer.message);
    if (!parsed.success) return failCheck(name, `tools/list is answered ${answer.status} without tools`, READ_LOG);
    for (const tool of parsed.data.result.tools) tools.add(tool.name);
    cursor = parsed.data.result.nextCursor;
    if (cursor === undefined) break;
  }
  const missing = expected.filter((capability) => !tools.has(capability));
  if (missing.length > 0)
    return failCheck(name, `No tool is named ${missing.join(', ')}`, 'Deploy one version to all of the deployment');
  return acceptCheck(name, `${tools.size} tools`);
}

/** Capabilities of the catalogue, which are tools too; none where it cannot be read: `terms.catalogue` says so. */
async function readCatalogueNames(ports: CheckPorts, api: string): Promise<readonly string[]> {
  const index = await askFor(ports, `${api}/api/agent/index`);
  const parsed = index.reached ? indexSchema.safeParse(index.json) : undefined;
  return parsed?.success === true ? Object.keys(parsed.data.capabilities) : [];
}
