// First: the SDK uses zod as it loads, and esbuild starts zod with the first module that needs it of those it wraps.
import { createApp } from '../../../routes/api/app.ts';
import { createMcpHandler, isLegacyRequest, type Server } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { McpSession as Session } from '../../../durable-objects/mcp-session.ts';
import { type AppContext, type AppEnv, type AppOptions, requestContext } from '../../../routes/api/context.ts';
import { ownRequestId } from '../../../routes/shared/request-id.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import type { McpCaller } from '../../../src/sales/mcp/mcp-tools.ts';
import { refuseOrigin, readMessage } from '../../../routes/api/mcp/gates.ts';
import { serveSession } from '../../../routes/api/mcp/sessions.ts';
import { defineMcpToolsEntrypoint } from '../../../routes/api/bindings/mcp-tools-entrypoint.ts';
import { type ProtectedEnv, createProtectedResource } from '../../../routes/api/authorization/protected.ts';
import { getAccountResource, getIssuer } from '../../../src/authorization/oauth/resources.ts';
import { BASE_SCOPE } from '../../../src/authorization/oauth/scopes.ts';
import { AUTHORIZATION_STORE_NAME } from '../../../src/authorization/oauth/store-protocol.ts';
import { allowLoopbackExcept } from '../../../src/net/address-policy.ts';
import { fixtureServer } from './fixture-server.ts';

export { AuthorizationStore } from '../../../durable-objects/authorization-store.ts';
export { CreditAccount } from '../../../durable-objects/credit-account.ts';
export { EngineMeter } from '../../../durable-objects/engine-meter.ts';
export { McpSessionRegistry } from '../../../durable-objects/mcp-session-registry.ts';
export { PaymentLedger } from '../../../durable-objects/payment-ledger.ts';
export { TargetGate } from '../../../durable-objects/target-gate.ts';
export { VisibilityRun } from '../../../durable-objects/visibility-run.ts';

/** Our session object around the fixtures. */
export class McpSession extends Session {
  protected override newServer(): Server {
    return fixtureServer().server;
  }
}

const options: AppOptions = {
  policy: () => allowLoopbackExcept([]),
  local: true,
  engines: { isLocal: false, factories: {} },
};
export const McpTools = defineMcpToolsEntrypoint(options);

const product = createApp(options);
const modern = createMcpHandler(() => fixtureServer(), { legacy: 'reject' });

/**
 * A Worker for the official suite and for nothing else: the product with the suite's fixtures in the place of its tools
 * at the protected endpoint. Host, Origin, tokens, body limits and sessions are the product's own parts.
 */
const app = new Hono<AppEnv & ProtectedEnv>();
const protect = createProtectedResource<AppEnv & ProtectedEnv>({
  resource: (c) => getAccountResource(c.get('settings').BASE_URL),
  issuer: (c) => getIssuer(c.get('settings').BASE_URL),
  requiredScopes: [BASE_SCOPE],
  validate: (c) => (token, resource) =>
    c.env.AUTHORIZATION_STORE.getByName(AUTHORIZATION_STORE_NAME).validate(token, resource),
});
app.use('*', ownRequestId);
app.use('/.well-known/oauth-protected-resource/mcp-account', requestContext, protect);
app.use('/mcp-account', requestContext, async (c, next) => refuseOrigin(c as unknown as AppContext) ?? next(), protect);
app.all('/mcp-account', async (c): Promise<Response> => {
  const known = c as unknown as AppContext; // The same context: the product's parts know nothing of `auth`.
  const { userId = '', clientId = '', scope } = c.get('auth');
  const from: McpCaller = {
    endpoint: 'account',
    account: { id: userId, clientId, authorizedAtMs: Date.now(), scopes: scope },
    caller: getCallerAddress(c.req.raw),
    requestId: c.get('requestId'),
    isOwnAudit: false,
    hasVersion1Header: false,
  };
  const { method } = c.req;
  if (method !== 'POST') return serveSession(known, from, { method });
  const read = await readMessage(known);
  if (!read.ok) return read.response;
  const { body, text, message } = read;
  if (await isLegacyRequest(c.req.raw, body)) return serveSession(known, from, { method, text, message });
  return modern.fetch(c.req.raw, { parsedBody: body });
});
app.all('*', (c) => product.fetch(c.req.raw, c.env, c.executionCtx));

export default { fetch: app.fetch };
