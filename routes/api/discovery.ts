import type { Hono } from 'hono';
import { selectPreferredType } from '../../src/openapi/accept.ts';
import {
  AI_CATALOG_TYPE,
  buildAiCatalog,
  API_CATALOG_TYPE,
  buildApiCatalog,
  formatDiscoveryLinks,
  buildMcpDiscovery,
} from '../../src/openapi/discovery-documents.ts';
import { buildAgentCard, buildCombinedAgentCard, buildCardOf03, OLDER_AGENT_CARD_PATH } from '../../src/a2a/card.ts';
import { AGENT_CARD_PATH } from '../../src/capabilities/service.ts';
import { indexOperation } from '../../src/openapi/catalogue-operation.ts';
import { buildMppDocument, buildX402Document } from '../../src/openapi/payment-documents.ts';
import { describeNetworks, formatNetworkNames } from '../../src/openapi/describe-networks.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { finishSentence } from '../../src/lib/text.ts';
import { buildProblem, findProblemRow } from '../../src/problems/codes.ts';
import { formatProblemPath } from '../../src/problems/problem.ts';
import { buildRegistryServer, SERVER_CARD_TYPE, buildServerCard } from '../../src/openapi/registry-server.ts';
import { toTextOfNetwork } from '../../src/payment/terms/networks-data.ts';
import { getPaymentNetwork, listPaidOn } from '../../src/sales/seller.ts';
import { type ApiWorkerSettings, isClosedForSale } from '../../src/sales/settings.ts';
import { buildServiceIndex } from '../../src/openapi/service-index.ts';
import { type AppContext, type AppEnv, type AppOptions, failWith } from './context.ts';
import { formatServiceLlmsTxt, formatServiceRobotsTxt } from '../../src/openapi/service-texts.ts';
import { getAnswerEngine, getAnswerEngines } from './bindings/engine.ts';
import { listAboutEntries } from './about/available.ts';
import { guardFreeRoute } from './free-guard.ts';
import { refuseByAccept } from './pages/report-refusals.ts';
import { formatTwinPath, isListedAlone, listDocsPages } from './pages/docs.ts';
import { answerMarkdownPage, answerSitePage } from './pages/site-pages.ts';
import { type StaticDocument, serveStaticDocument } from '../shared/static-document.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
/** Availability changes with the settings of a deployment, so the catalogue is kept for minutes only. */
const CACHE = { 'cache-control': 'public, max-age=300' } as const;
/** As the discovery document of Server Cards asks for it; the origin is opened for every answer of ours. */
const CARD_CORS = {
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
} as const;
/** People get the section of the documentation, programs the words alone. */
const PROBLEM_TYPES = ['text/plain', 'text/html'] as const;
const START_TYPES = ['text/html', 'text/markdown', 'application/json'] as const;

const NO_MPP = buildProblem('not_found', { detail: 'This deployment is not paid by MPP' });

type Row = { type: string; render: (baseUrl: string) => string; headers?: Readonly<Record<string, string>> };

const defineJsonRow = (render: (baseUrl: string) => unknown, type = JSON_TYPE, headers = {}): Row => ({
  type,
  render: (baseUrl) => `${JSON.stringify(render(baseUrl), null, 2)}\n`,
  headers,
});
const defineTextRow = (render: (baseUrl: string) => string, type = TEXT_TYPE): Row => ({ type, render });
const defineServerCardRow = (endpoint: 'open' | 'account'): Row =>
  defineJsonRow((baseUrl) => buildServerCard(baseUrl, endpoint), SERVER_CARD_TYPE, CARD_CORS);

const defineCardRow = (render: (baseUrl: string) => unknown): Row =>
  defineJsonRow(render, JSON_TYPE, { ...CARD_CORS, vary: 'A2A-Version' });
/** Clients of A2A 1.0 say their version, and get the card of their form alone. */
const CURRENT_CARD = defineCardRow(buildAgentCard);
const COMBINED_CARD = defineCardRow(buildCombinedAgentCard);
/** Documents of tables and our own address (rule X10), by path. */
const documents: Readonly<Record<string, Row>> = {
  '/mcp/server-card': defineServerCardRow('open'),
  '/mcp-account/server-card': defineServerCardRow('account'),
  '/.well-known/mcp.json': defineJsonRow(buildMcpDiscovery, JSON_TYPE, CARD_CORS),
  '/.well-known/mcp/server-card.json': defineJsonRow(buildMcpDiscovery, JSON_TYPE, CARD_CORS),
  '/.well-known/mcp-server-card.json': defineJsonRow(buildMcpDiscovery, JSON_TYPE, CARD_CORS),
  [OLDER_AGENT_CARD_PATH]: defineJsonRow(buildCardOf03, JSON_TYPE, CARD_CORS),
  '/.well-known/ai-catalog.json': defineJsonRow(buildAiCatalog, AI_CATALOG_TYPE, CARD_CORS),
  '/.well-known/api-catalog': defineJsonRow(buildApiCatalog, API_CATALOG_TYPE),
  '/.well-known/x402': defineJsonRow(buildX402Document),
  '/server.json': defineJsonRow(buildRegistryServer),
};

/** Free documents: start page, catalogue, OpenAPI, the cards and catalogues of agents, and the meaning of problem codes. */
export function registerDiscoveryRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.get('/', guardFreeRoute, (c) => startAnswer(c, options));
  app.on(indexOperation.method, indexOperation.route, guardFreeRoute, (c) => answerServiceIndex(c, options));
  app.get('/openapi.json', guardFreeRoute, (c) => {
    const settings = c.get('settings');
    const hasEngine = getAnswerEngine(c.env, options).ok;
    const networks = listPaidOn(settings).map(({ network }) => network);
    return serveStaticDocument(
      c,
      `/openapi.json ${hasEngine} ${settings.CONTACT_EMAIL ?? ''} ${formatNetworks(settings)}`,
      () => ({
        type: JSON_TYPE,
        body: JSON.stringify(describeNetworks(buildOpenApi(settings, hasEngine), networks)),
        headers: CACHE,
      }),
    );
  });
  for (const [path, row] of Object.entries(documents))
    app.get(path, guardFreeRoute, (c) =>
      serveStaticDocument(c, path, () => renderDocument(row, c.get('settings').BASE_URL)),
    );
  app.get('/.well-known/mpp', guardFreeRoute, (c) => {
    const settings = c.get('settings');
    const { BASE_URL, PAY_TO, MPP } = settings;
    if (MPP === 'off') return failWith(c, NO_MPP);
    const row = defineJsonRow((baseUrl) => buildMppDocument(baseUrl, listPaidOn(settings)));
    return serveStaticDocument(c, `/.well-known/mpp ${formatNetworks(settings)} ${PAY_TO ?? ''}`, () =>
      renderDocument(row, BASE_URL),
    );
  });
  app.get('/llms.txt', guardFreeRoute, async (c) => {
    const [docs, about] = await Promise.all([listDocsPages(c), listAboutEntries(c)]);
    const entries = docs.filter(isListedAlone).map((page) => ({ ...page, path: formatTwinPath(page.path) }));
    const settings = c.get('settings');
    const networks = listPaidOn(settings).map(({ network }) => network);
    const row = defineTextRow(
      (baseUrl) =>
        toTextOfNetwork(
          formatNetworkNames(formatServiceLlmsTxt(baseUrl, { docs: entries, about }), networks),
          getPaymentNetwork(settings),
        ),
      'text/markdown; charset=utf-8',
    );
    return serveStaticDocument(c, `/llms.txt ${docs.length} ${about.length} ${formatNetworks(settings)}`, () =>
      renderDocument(row, settings.BASE_URL),
    );
  });
  // Never 429: a crawler that is refused robots.txt stays away from the whole site (RFC 9309, section 2.3.1.4).
  app.get('/robots.txt', (c) =>
    serveStaticDocument(c, '/robots.txt', () =>
      renderDocument(defineTextRow(formatServiceRobotsTxt), c.get('settings').BASE_URL),
    ),
  );
  app.get('/index.md', (c) => answerMarkdownPage(c, '/'));
  app.get(AGENT_CARD_PATH, guardFreeRoute, (c) => {
    const isCurrent = /^1\.0(?:\.\d+)?$/.test(c.req.header('a2a-version') ?? '');
    return serveStaticDocument(c, `${AGENT_CARD_PATH} ${isCurrent ? 'current' : 'combined'}`, () =>
      renderDocument(isCurrent ? CURRENT_CARD : COMBINED_CARD, c.get('settings').BASE_URL),
    );
  });
  app.get('/problems/:code', guardFreeRoute, (c) => {
    const row = findProblemRow(c.req.param('code'));
    if (!row) return refuseByAccept(c, buildProblem('not_found', { detail: 'No problem has this code' }));
    const { status, title, means, next } = row;
    const code = c.req.param('code');
    c.header('vary', 'Accept');
    if (selectPreferredType(c.req.header('accept') ?? null, PROBLEM_TYPES) === 'text/html')
      return c.redirect(formatProblemPath(code), 302);
    const sentences = [title, means, next].map((text) => finishSentence(text));
    return c.text(`${code} (HTTP ${status})\n\n${sentences.join('\n')}\n`, 200, CACHE);
  });
}

/** Where a deployment is paid, as documents are remembered by. */
const formatNetworks = (settings: ApiWorkerSettings): string =>
  listPaidOn(settings)
    .map(({ network, payTo }) => `${network.id}=${payTo ?? ''}`)
    .join();

/** The document of the first network. */
const buildOpenApi = (settings: ApiWorkerSettings, hasEngine: boolean) =>
  JSON.parse(
    toTextOfNetwork(
      JSON.stringify(openApiDocument(settings.BASE_URL, hasEngine, settings.CONTACT_EMAIL)),
      getPaymentNetwork(settings),
    ),
  ) as Record<string, unknown>;

const renderDocument = ({ type, render, headers }: Row, baseUrl: string): StaticDocument => ({
  type,
  body: render(baseUrl),
  headers: { link: formatDiscoveryLinks(baseUrl), ...headers },
});

function answerServiceIndex(c: AppContext, options: AppOptions, headers: Readonly<Record<string, string>> = {}) {
  const settings = c.get('settings');
  const { BASE_URL, PAY_TO } = settings;
  const isClosed = isClosedForSale(settings);
  const choice = getAnswerEngines(c.env, options);
  const engines = choice.ok ? choice.engines : [];
  return serveStaticDocument(
    c,
    `index ${PAY_TO ?? ''} ${isClosed} ${engines.map(({ name }) => name).join()} ${c.req.path} ${formatNetworks(settings)}`,
    () => ({
      type: JSON_TYPE,
      body: JSON.stringify(
        buildServiceIndex(BASE_URL, PAY_TO, {
          hasEngine: choice.ok,
          engines,
          isClosed,
          network: getPaymentNetwork(settings),
          paidAt: listPaidOn(settings),
        }),
      ),
      headers: { link: formatDiscoveryLinks(BASE_URL), ...CACHE, ...headers },
    }),
  );
}

/** One address for people, for models and for programs: HTML, Markdown or the JSON catalogue, as Accept asks. */
function startAnswer(c: AppContext, options: AppOptions): Promise<Response> {
  const chosen = selectPreferredType(c.req.header('accept') ?? null, START_TYPES);
  if (chosen === 'application/json') return answerServiceIndex(c, options, { vary: 'Accept' });
  return chosen === 'text/markdown' ? answerMarkdownPage(c, '/') : answerSitePage(c, '/');
}
