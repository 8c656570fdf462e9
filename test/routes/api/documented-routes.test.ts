import { expect, test } from 'vitest';
import * as z from 'zod';
import { createApp } from '../../../routes/api/app.ts';
import { productionAnswers } from '../../../src/models/registry.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { hostOperations } from '../../../src/openapi/host-operations.ts';
import { cardOperations } from '../../../src/openapi/card-operations.ts';
import { ownReportsOperation } from '../../../src/openapi/own-reports-operation.ts';
import { indexOperation } from '../../../src/openapi/catalogue-operation.ts';
import { openApiDocument } from '../../../src/openapi/document.ts';
import { monitorOperations } from '../../../src/openapi/monitors/monitor-operations.ts';
import { listPaidOperations } from '../../../src/openapi/paid-operations.ts';
import { protocolOperations } from '../../../src/openapi/protocol-operations.ts';
import { publishOperations } from '../../../src/openapi/publish-operations.ts';
import { statementOperations } from '../../../src/openapi/statement-operations.ts';
import { reportOperations } from '../../../src/openapi/report-operations.ts';
import { listCapabilityPaths } from '../../../src/web/capability/address.ts';

/** Routes that the OpenAPI document leaves out, by the reason. */
const undocumented: Readonly<Record<string, readonly string[]>> = {
  'pages and forms for people': [
    'GET /',
    'GET /web/*',
    'GET /prices',
    'GET /example',
    'GET /verify',
    'GET /delivery',
    'GET /about',
    'GET /accuracy',
    'GET /contact',
    'GET /privacy',
    'GET /terms',
    'GET /bot',
    'GET /changelog',
    'GET /status',
    'GET /deprecations',
    'GET /sandbox',
    'GET /problems/:code',
    'GET /docs',
    'GET /docs/*',
    'GET /docs/assets/*',
    'GET /audit',
    'POST /audit',
    'POST /audit/stream',
    'POST /language',
    'GET /buy/credits',
    'POST /buy/credits',
    'GET /reports/:other',
    'GET /reports/:id{[0-9a-f]{32}}/since',
    'GET /reports/:id{[0-9a-f]{32}}/since/:other{[0-9a-f]{32}}',
    'GET /reports/:id{[0-9a-f]{32}}/answers.csv',
    'GET /reports/:id{[0-9a-f]{32}}/answers.jsonl',
    'GET /reports/:id{[0-9a-f]{32}}/card.png',
    'GET /signin',
    'GET /signin/wallet.js',
    'POST /signin/siwe/nonce',
    'POST /signin/siwe',
    'POST /signin/operator',
    'GET /signin/email',
    'POST /signin/email',
    'POST /signin/email/confirm',
    'POST /signin/passkey',
    'POST /signin/passkey/options',
    'POST /signin/passkey/new',
    'POST /signin/passkey/new/options',
    'POST /signout',
    'POST /authorize',
    'GET /console',
    'GET /console/',
    'GET /account',
    'GET /account/credits',
    'GET /account/credits.csv',
    'GET /account/credits/card',
    'GET /account/credits/receipt',
    'GET /account/credits/receipt.pdf',
    'GET /account/credits/statement',
    'GET /account/credits/statement.pdf',
    'POST /account/credits/card',
    'GET /account/reports',
    'GET /account/imports',
    'GET /account/imports.csv',
    'GET /account/hosts',
    'GET /account/hosts.md',
    'GET /account/hosts.json',
    'GET /account/hosts/crawler-counts.js',
    'POST /account/hosts',
    'POST /account/hosts/look',
    'POST /account/hosts/token',
    'POST /account/hosts/drop',
    'GET /account/monitors',
    'GET /account/monitors.md',
    'GET /account/monitors.json',
    'GET /account/monitors/new',
    'GET /account/monitors/:id',
    'GET /account/monitors/:id/history.csv',
    'GET /account/monitors/:id/edit',
    'GET /account/monitors/:id/delete',
    'GET /account/monitors/:id/:compare{compare(?:\\.md|\\.json)?}',
    'GET /account/monitors/:id/runs/:run',
    'GET /account/monitors/:id/alerts/:alert',
    'POST /account/monitors',
    'POST /account/monitors/:id/edit',
    'POST /account/monitors/:id/pause',
    'POST /account/monitors/:id/resume',
    'POST /account/monitors/:id/run',
    'POST /account/monitors/:id/delete',
    'POST /account/monitors/:id/token',
    'POST /account/monitors/:id/receivers/:receiver/test',
    'POST /account/monitors/:id/receivers/:receiver/rotate',
    'POST /account/monitors/:id/deliveries/:delivery/replay',
    'GET /account/published',
    'GET /account/access',
    'GET /account/export.json',
    'GET /account/ways',
    'POST /account/ways/email',
    'POST /account/ways/passkey',
    'POST /account/ways/passkey/options',
    'POST /account/ways/wallet',
    'POST /account/ways/remove',
    'GET /account/delete',
    'POST /account/revoke',
    ...listCapabilityPaths()
      .filter((path) => path !== '/audit')
      .flatMap((path) => [`GET ${path}`, `POST ${path}`]),
    'POST /account/revoke-all',
    'POST /account/imports',
    'POST /account/imports/delete',
    'POST /account/unpublish',
    'POST /account/signout-everywhere',
    'POST /account/delete',
  ],
  'links of mails, and feeds, which open with a secret in their address': [
    'GET /monitors/:id{mon_[0-9a-f]{24}}/feed/:token{[0-9a-f]{32}}',
    'GET /monitors/:id{mon_[0-9a-f]{24}}/mail/:receiver{rcv_[0-9a-f]{16}}/:use{confirm|unsubscribe}',
    'POST /monitors/:id{mon_[0-9a-f]{24}}/mail/:receiver{rcv_[0-9a-f]{16}}/:use{confirm|unsubscribe}',
  ],
  'addresses of before, which lead on': ['GET /measure', 'GET /measure/compare'],
  'documents for crawlers and registries, with formats of their own': [
    'GET /index.md',
    'GET /prices.md',
    'GET /about.md',
    'GET /accuracy.md',
    'GET /contact.md',
    'GET /privacy.md',
    'GET /terms.md',
    'GET /changelog.md',
    'GET /status.md',
    'GET /deprecations.md',
    'GET /sandbox.md',
    'GET /auth.md',
    'GET /feed.xml',
    'GET /status.json',
    'GET /asyncapi.json',
    'GET /schemas',
    'GET /schemas/:file',
    'GET /bot/card.json',
    'GET /bot/addresses.json',
    'GET /.well-known/http-message-signatures-directory',
    'GET /.well-known/security.txt',
    'GET /llms.txt',
    'GET /llms-full.txt',
    'GET /robots.txt',
    'GET /sitemap.xml',
    'GET /server.json',
    'GET /mcp/server-card',
    'GET /mcp-account/server-card',
    'GET /.well-known/agent-card.json',
    'GET /.well-known/agent.json',
    'GET /.well-known/ai-catalog.json',
    'GET /.well-known/api-catalog',
    'GET /.well-known/oauth-protected-resource/api/hosts',
    'GET /.well-known/mcp.json',
    'GET /.well-known/mcp/server-card.json',
    'GET /.well-known/mcp-server-card.json',
    'GET /.well-known/mpp',
    'GET /.well-known/x402',
  ],
  'the description itself, and what the platform asks': ['GET /openapi.json', 'GET /health'],
  'the interface of the operator, signed in by its secret': [
    'GET /operator/service-accounts',
    'POST /operator/service-accounts',
    'DELETE /operator/service-accounts/:id',
    'POST /operator/service-accounts/:id/keys',
    'DELETE /operator/service-accounts/:id/keys/:kid',
    'GET /operator/clients',
    'POST /operator/clients',
    'DELETE /operator/clients/:id',
    'GET /operator/operators',
    'POST /operator/operators',
    'DELETE /operator/operators/:id',
    'POST /operator/operators/:id/restore',
    'GET /operator/checkup',
  ],
};
/** For all methods: refusals of those that a path does not have, and guards in front of routes. */
const refusing = [
  '/api/agent/:capability',
  '/api/panels/:panel',
  '/api/tools/:tool',
  '/api/credits/:pack',
  '/api/credits/:pack/monitor',
  '/oauth/token',
  '/oauth/register',
  ...new Set(Object.values(monitorOperations).map(({ route }) => route)),
  ...new Set(Object.values(hostOperations).map(({ route }) => route)),
];
const guards = ['/signin/operator', '/signout', '/authorize', '/buy/credits'];

const app = createApp({
  policy: () => allowPublicOnly({ alternatePorts: true }),
  local: false,
  engines: productionAnswers,
});
const routed = app.routes.filter(
  ({ method, path }) => method !== 'ALL' || !(path.endsWith('/*') || refusing.includes(path) || guards.includes(path)),
);
const nameRoute = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const operations = [
  indexOperation,
  ...listPaidOperations(true),
  ...Object.values(cardOperations),
  ...Object.values(reportOperations),
  ...Object.values(publishOperations),
  ...Object.values(statementOperations),
  ...Object.values(monitorOperations),
  ownReportsOperation,
  ...Object.values(hostOperations),
  ...Object.values(protocolOperations),
];
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
  .parse(openApiDocument('https://sightline.test', true));

test('the OpenAPI document has the operations of all rows, and no other', () => {
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // In this order; the document has the methods of one path together.
  const byPath = Map.groupBy(operations.map(nameRoute), (name) => name.split(' ')[1]);
  expect(documented).toEqual([...byPath.values()].flat());
});

/** The route that answers an operation of the document. */
function findRoute({ method, path }: { method: string; path: string }): string | undefined {
  const sample = path.replace('{id}', '0'.repeat(32)).replace('{host}', 'example.com');
  const [handlers] = app.router.match(method, sample);
  const found = handlers.map(([[, route]]) => nameRoute(route));
  return routed.map(nameRoute).find((name) => found.includes(name));
}

/** Answers all methods, those beyond the document's too. */
const openToAll: readonly string[] = [
  protocolOperations.mcp,
  protocolOperations.mcpAccount,
  protocolOperations.a2a,
].map(({ route }) => route);

test.each(operations)('$method $path is answered by the route of its row', (operation) => {
  const { method, route } = operation;
  expect(findRoute(operation)).toBe(nameRoute({ method: openToAll.includes(route) ? 'ALL' : method, path: route }));
});

test('every route is in the OpenAPI document, or has a reason not to be', () => {
  const answering = new Set(operations.map(findRoute));
  const excused = Object.values(undocumented).flat();
  const routes = [...new Set(routed.map(nameRoute))];
  expect(routes.filter((name) => !answering.has(name) && !excused.includes(name))).toEqual([]);
  expect(excused.filter((name) => !routes.includes(name))).toEqual([]);
});
