import { formatJsonFile } from '../../../fixes/files/generated-file.ts';
import { findObservedEndpoint } from '../../../fixes/files/mcp-json-endpoint.ts';
import { defineAdvice, type FixDraft, FIX_FILES, type Recipe, type Recipes } from '../../../fixes/core/recipe.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';

/** Where the endpoint is guessed to be, when the audit saw none on the site itself. */
const USUAL_PATH = '/mcp';
const OTHER_PATH = `Put the address of your endpoint in the place of ${USUAL_PATH} in the command.`;

/** Work on the MCP server, with the message that it should answer. The command asks the endpoint that the audit saw. */
export const buildServerRecipe = (draft: Pick<FixDraft, 'expect'> & Partial<FixDraft>): Recipe =>
  defineAdvice(({ audited }) => {
    const url = URL.parse(findObservedEndpoint(audited)?.url ?? '');
    const known = url?.origin === audited.site.start.origin && url.search === '' ? url.pathname : undefined;
    const how = known === undefined ? [draft.how, OTHER_PATH].join(' ').trim() : draft.how;
    return {
      file: FIX_FILES.mcpServer,
      action: 'configure',
      effort: 'hours',
      media_type: 'text/plain',
      ...draft,
      ...(draft.at === undefined ? { at: known ?? USUAL_PATH, ...(how === undefined ? {} : { how }) } : {}),
    };
  });

const answer = (status: string, value: unknown): string =>
  `HTTP/1.1 ${status}\nContent-Type: application/json\n\n${formatJsonFile(value)}`;
const formatErrorAnswer = (status: string, code: number, message: string, data?: unknown): string =>
  answer(status, { jsonrpc: '2.0', id: 1, error: { code, message, ...(data === undefined ? {} : { data }) } });
const formatResultAnswer = (value: unknown): string => answer('200 OK', { jsonrpc: '2.0', id: 1, result: value });

const TOOL = {
  name: formatSlot('toolName'),
  description: formatSlot('toolDescription'),
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', description: formatSlot('parameter') } },
    required: ['query'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

const buildToolRecipe = (draft: Pick<FixDraft, 'expect'> & Partial<FixDraft>): Recipe =>
  buildServerRecipe({ content: formatJsonFile(TOOL), media_type: 'application/json', ask: 'mcpTools', ...draft });

const DISCOVER = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28', '2025-11-25'],
  capabilities: { tools: {} },
  serverInfo: { name: formatSlot('serverName'), version: formatSlot('version') },
  instructions: formatSlot('skill'),
  ttlMs: 3_600_000,
  cacheScope: 'public',
};

/** How the MCP endpoint answers, and what it offers. */
export const mcpServerRecipes: Recipes = {
  'mcp.endpoint.reachable': buildServerRecipe({
    ask: 'mcpDiscover',
    effort: 'days',
    content: formatResultAnswer(DISCOVER),
    how: 'The example answers server/discover. Current SDKs do the transport: let them, behind the path that your documents declare.',
    expect: 'A POST of server/discover (or initialize) answers JSON-RPC with a result, or 401 with a Bearer challenge.',
  }),
  'mcp.endpoint.modern': buildServerRecipe({
    ask: 'mcpDiscover',
    effort: 'days',
    content: formatResultAnswer(DISCOVER),
    expect: 'server/discover answers supportedVersions with 2026-07-28 and resultType "complete".',
  }),
  'mcp.endpoint.legacy': buildServerRecipe({
    ask: 'mcpInitialize',
    content: formatResultAnswer({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: formatSlot('serverName'), version: formatSlot('version') },
    }),
    expect: 'initialize with 2025-11-25 answers protocolVersion and serverInfo.',
  }),
  'mcp.endpoint.version-error': buildServerRecipe({
    ask: 'mcpVersion',
    effort: 'minutes',
    content: formatErrorAnswer('400 Bad Request', -32022, 'Unsupported protocol version', {
      supported: ['2026-07-28', '2025-11-25'],
      requested: '1900-01-01',
    }),
    expect: 'A version that does not exist is answered by 400 with code -32022 and the supported list.',
  }),
  'mcp.endpoint.header-mismatch': buildServerRecipe({
    ask: 'mcpMismatch',
    effort: 'minutes',
    content: formatErrorAnswer('400 Bad Request', -32020, 'Header mismatch: Mcp-Method differs from the body'),
    expect: 'A request whose Mcp-Method differs from its body is answered by 400 with code -32020.',
  }),
  'mcp.endpoint.unknown-method': buildServerRecipe({
    ask: 'mcpUnknownMethod',
    effort: 'minutes',
    content: formatErrorAnswer('404 Not Found', -32601, 'Method not found'),
    expect: 'An unknown method is answered with code -32601.',
  }),
  'mcp.endpoint.bad-json': buildServerRecipe({
    ask: 'mcpBadJson',
    effort: 'minutes',
    content: answer('400 Bad Request', { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }),
    expect: 'A body that is no JSON is answered by 400 with code -32700.',
  }),
  'mcp.endpoint.origin': buildServerRecipe({
    ask: 'mcpForeignOrigin',
    effort: 'minutes',
    content:
      "const origin = request.headers.get('origin');\nif (origin !== null && !ALLOWED_ORIGINS.has(origin)) return new Response('Forbidden origin', { status: 403 });\n",
    media_type: 'text/javascript',
    how: 'Requests without Origin (every client that is no browser) go on.',
    expect: 'A request with the Origin of another site is answered by 403.',
  }),
  'mcp.endpoint.get-behaviour': buildServerRecipe({
    ask: 'mcpListen',
    effort: 'minutes',
    content: 'HTTP/1.1 405 Method Not Allowed\nAllow: POST\n',
    expect: 'GET of the endpoint answers 405 (or an event stream of the older revisions).',
  }),
  'mcp.endpoint.accept': buildServerRecipe({
    ask: 'mcpDiscover',
    content:
      'HTTP/1.1 200 OK\nContent-Type: text/event-stream\nCache-Control: no-store\nX-Accel-Buffering: no\n\nevent: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n',
    expect: 'Content-Type is application/json or text/event-stream, and the body is what it says.',
  }),
  'mcp.endpoint.stateless': buildServerRecipe({
    ask: 'mcpDiscover',
    content: formatResultAnswer(DISCOVER),
    how: 'Take version, client and authorization from each request.',
    expect: 'server/discover and tools/list both answer without Mcp-Session-Id.',
  }),
  'mcp.endpoint.https': buildServerRecipe({
    effort: 'minutes',
    content: 'server {\n    listen 80;\n    return 308 https://$host$request_uri;\n}\n',
    how: 'Clients do not follow a redirect with a POST and a token: declare the https address.',
    expect: 'The declared endpoint begins with https://.',
  }),
  'mcp.endpoint.latency': buildServerRecipe({
    ask: 'mcpDiscover',
    content: formatResultAnswer(DISCOVER),
    expect: 'server/discover answers within two seconds.',
  }),
  'mcp.endpoint.cors': buildServerRecipe({
    ask: 'mcpPreflight',
    effort: 'minutes',
    content:
      'HTTP/1.1 204 No Content\nAccess-Control-Allow-Origin: https://client.example\nAccess-Control-Allow-Methods: POST\nAccess-Control-Allow-Headers: Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name\nAccess-Control-Expose-Headers: WWW-Authenticate\nVary: Origin\n',
    expect: 'OPTIONS allows these headers, and answers expose WWW-Authenticate.',
  }),
  'mcp.tools.list': buildServerRecipe({
    ask: 'mcpTools',
    content: formatResultAnswer({ resultType: 'complete', tools: [TOOL], ttlMs: 3_600_000, cacheScope: 'public' }),
    expect: 'tools/list answers a tools array on every page.',
  }),
  'mcp.tools.names': buildToolRecipe({
    effort: 'minutes',
    how: 'Keep the old name as an alias until clients have read the list again.',
    expect: 'Names of 1 to 128 letters, digits, _ - and ., each once.',
  }),
  'mcp.tools.input-schema': buildToolRecipe({
    expect: 'Every inputSchema has type "object", and required names only its properties.',
  }),
  'mcp.tools.x-mcp-header': buildToolRecipe({
    content: formatJsonFile({
      ...TOOL,
      inputSchema: {
        type: 'object',
        properties: { region: { type: 'string', description: formatSlot('parameter'), 'x-mcp-header': 'Region' } },
      },
    }),
    expect: 'x-mcp-header is on string, integer and boolean properties only, each name once.',
  }),
  'mcp.tools.descriptions': buildToolRecipe({ expect: 'Every tool has a description of 20 to 1,024 characters.' }),
  'mcp.tools.param-descriptions': buildToolRecipe({ expect: 'At least four of five parameters have a description.' }),
  'mcp.tools.annotations': buildToolRecipe({
    effort: 'minutes',
    how: 'A tool that writes, sends, deletes, publishes or costs money has readOnlyHint false.',
    expect: 'Every tool has readOnlyHint, and it fits name, price and arguments.',
  }),
  'mcp.tools.output-schema': buildToolRecipe({
    content: formatJsonFile({
      ...TOOL,
      outputSchema: {
        type: 'object',
        properties: { items: { type: 'array', items: { type: 'object' } } },
        required: ['items'],
      },
    }),
    expect: 'Every outputSchema is a valid schema.',
  }),
  'mcp.tools.deterministic': buildServerRecipe({
    ask: 'mcpTools',
    effort: 'minutes',
    content: 'tools.sort((a, b) => (a.name < b.name ? -1 : 1));\n',
    media_type: 'text/javascript',
    expect: 'Two answers to tools/list have the same order.',
  }),
  'mcp.tools.cache-hints': buildServerRecipe({
    ask: 'mcpTools',
    effort: 'minutes',
    content: formatResultAnswer({ resultType: 'complete', tools: [], ttlMs: 3_600_000, cacheScope: 'public' }),
    expect: 'Results have ttlMs of 0 or more and cacheScope, the same on every page.',
  }),
  'mcp.tools.count': buildToolRecipe({ effort: 'days', expect: 'The server offers at most 40 tools.' }),
  'mcp.tools.tokens': buildToolRecipe({ expect: 'tools/list has at most 32,000 characters.' }),
  'mcp.tools.injection': buildToolRecipe({ expect: 'The texts of the evidence are gone.' }),
  'mcp.tools.unknown-tool': buildServerRecipe({
    ask: 'mcpUnknownTool',
    effort: 'minutes',
    content: formatErrorAnswer('200 OK', -32602, 'Unknown tool'),
    expect: 'A call of a tool that is not listed answers code -32602.',
  }),
  'mcp.resources.list': buildServerRecipe({
    ask: 'mcpResources',
    content: formatResultAnswer({ resultType: 'complete', resources: [], ttlMs: 3_600_000, cacheScope: 'public' }),
    expect: 'resources/list and prompts/list answer arrays, where they are declared.',
  }),
  'mcp.instructions': buildServerRecipe({
    ask: 'mcpDiscover',
    effort: 'minutes',
    content: formatResultAnswer(DISCOVER),
    expect: 'instructions has 1 to 4,000 characters.',
  }),
  'mcp.legacy.sse': buildServerRecipe({
    ask: 'mcpDiscover',
    effort: 'days',
    content: formatResultAnswer(DISCOVER),
    expect: 'The declared transport is streamable-http.',
  }),
  'mcp.pay.x402': buildToolRecipe({
    content: formatJsonFile({
      isError: true,
      structuredContent: { x402Version: 2, resource: { url: formatSlot('endpoint') }, accepts: [] },
    }),
    expect: 'The terms have x402Version 2, resource and accepts.',
  }),
};
