import type { Hono } from 'hono';
import { type AboutPath, type AboutRow, aboutRows } from '../../../src/about/about-data.ts';
import { buildAsyncApi } from '../../../src/about/asyncapi.ts';
import { formatAuthMd } from '../../../src/about/auth-md.ts';
import { type Changelog, formatChangesFeed } from '../../../src/about/changelog-feed.ts';
import { buildJsonSchemaFile, listJsonSchemas, type NamedSchemas } from '../../../src/about/json-schemas.ts';
import { formatSecurityTxt } from '../../../src/about/security-txt.ts';
import { describeStatus, type ServiceStatus } from '../../../src/about/service-status.ts';
import { formatIsoDay } from '../../../src/lib/time.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { formatEntityTag, isKnownTag } from '../../../src/net/entity-tag.ts';
import { buildComponentSchemas } from '../../../src/openapi/document.ts';
import { listSellings, resolveNetworks } from '../../../src/payment/terms/network-rows.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { getPaymentNetwork } from '../../../src/sales/seller.ts';
import { type ApiWorkerSettings, isClosedForSale } from '../../../src/sales/settings.ts';
import { buildChangelogPage, FEED_PATH } from '../../../src/web/about/changelog-text.ts';
import { buildDeprecationsPage } from '../../../src/web/about/deprecations-text.ts';
import { buildSandboxPage } from '../../../src/web/about/sandbox-text.ts';
import { buildStatusPage } from '../../../src/web/about/status-text.ts';
import { formatMarkdownPath } from '../../../src/web/start/page.tsx';
import { serveStaticDocument } from '../../shared/static-document.ts';
import { getAnswerEngines } from '../bindings/engine.ts';
import { findDemonstration, lookAtPayments } from '../bindings/pulse.ts';
import { readQueues } from '../bindings/queue-depths.ts';
import { type AppContext, type AppEnv, type AppOptions, failWith } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { answerWholeDocs } from '../pages/docs.ts';
import { refuseByAccept } from '../pages/report-refusals.ts';
import { readChangelog } from './available.ts';
import { answerMomentaryPage, answerTextPage } from './text-pages.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const SCHEMA_TYPE = 'application/schema+json; charset=utf-8';
/** A deployment changes schemas, nothing else does. */
const SCHEMA_CACHE = 'public, max-age=3600';

/** Seconds that an isolate shows what it saw: anyone may ask, and looking asks others. */
const STATUS_AGE_S = 60;

const NO_CONTACT = buildProblem('not_found', { detail: 'The operator of this deployment has not stated an address' });
const NOT_BUILT = buildProblem('not_found', {
  detail: 'The change log of this deployment is not built: `npm run build:web` builds it.',
});
const NO_SCHEMA = buildProblem('not_found', { detail: 'No schema has this name', next: 'GET /schemas lists them.' });

type Answer = (c: AppContext, options: AppOptions) => Response | Promise<Response>;

/** How each row of the table is answered; the type names one that is missing. */
const answers: Readonly<Record<AboutPath, Answer>> = {
  '/.well-known/security.txt': answerSecurityTxt,
  '/changelog': answerChangelog,
  '/feed.xml': answerFeed,
  '/status': async (c, options) =>
    answerMomentaryPage(c, buildStatusPage(await readServiceStatus(c, options)), STATUS_AGE_S),
  '/status.json': async (c, options) =>
    c.json(await readServiceStatus(c, options), 200, { 'cache-control': `public, max-age=${STATUS_AGE_S}` }),
  '/llms-full.txt': answerWholeDocs,
  '/schemas': (c) =>
    serveStaticDocument(c, '/schemas', () => ({
      type: JSON_TYPE,
      body: formatJson(listJsonSchemas(readSchemas(), c.get('settings').BASE_URL)),
    })),
  '/asyncapi.json': (c) =>
    serveStaticDocument(c, `/asyncapi.json ${c.get('settings').CONTACT_EMAIL ?? ''}`, () => ({
      type: JSON_TYPE,
      body: formatJson(buildAsyncApi(c.get('settings').BASE_URL, c.get('settings').CONTACT_EMAIL)),
    })),
  '/deprecations': (c) => answerTextPage(c, { page: buildDeprecationsPage(), variant: '' }),
  '/auth.md': answerAuthMd,
  '/sandbox': answerSandbox,
};

/** What the service publishes of itself: a route for each row of the table, one more for the Markdown of a page. */
export function registerAboutRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  for (const row of aboutRows) {
    const answer = answers[row.path];
    for (const path of listPaths(row)) app.get(path, guardFreeRoute, (c) => answer(c, options));
  }
  app.get('/schemas/:file', guardFreeRoute, (c) => answerSchema(c));
}

const listPaths = ({ path, kind }: AboutRow): readonly string[] =>
  kind === 'page' ? [path, formatMarkdownPath(path)] : [path];

const formatJson = (document: Record<string, unknown>): string => `${JSON.stringify(document, null, 2)}\n`;

function answerSecurityTxt(c: AppContext): Response | Promise<Response> {
  const { CONTACT_EMAIL, BASE_URL } = c.get('settings');
  if (CONTACT_EMAIL === undefined) return failWith(c, NO_CONTACT);
  const nowMs = Date.now();
  return serveStaticDocument(c, `security.txt ${CONTACT_EMAIL} ${formatIsoDay(nowMs)}`, () => ({
    type: 'text/plain; charset=utf-8',
    body: formatSecurityTxt(BASE_URL, CONTACT_EMAIL, nowMs),
  }));
}

async function answerChangelog(c: AppContext): Promise<Response> {
  const changelog = await readChangelog(c);
  if (changelog === undefined) return refuseByAccept(c, NOT_BUILT);
  const feed = { path: FEED_PATH, title: 'Changes' };
  return answerTextPage(c, { page: buildChangelogPage(changelog), variant: formatChangelogKey(changelog), feed });
}

const formatChangelogKey = ({ changed, sections }: Changelog): string => `${changed} ${sections.length}`;

async function answerFeed(c: AppContext): Promise<Response> {
  const changelog = await readChangelog(c);
  if (changelog === undefined) return refuseByAccept(c, NOT_BUILT);
  return serveStaticDocument(c, `${FEED_PATH} ${formatChangelogKey(changelog)}`, () => ({
    type: 'application/atom+xml; charset=utf-8',
    body: formatChangesFeed(changelog, c.get('settings').BASE_URL),
  }));
}

function answerAuthMd(c: AppContext): Promise<Response> {
  const settings = c.get('settings');
  const networks = listNetworkNames(settings).join(' or ');
  return serveStaticDocument(c, `/auth.md ${networks}`, () => ({
    type: 'text/markdown; charset=utf-8',
    body: formatAuthMd(settings.BASE_URL, networks),
  }));
}

function answerSandbox(c: AppContext): Promise<Response> {
  const settings = c.get('settings');
  const networks = listNetworkNames(settings);
  const { kind } = getPaymentNetwork(settings);
  const page = buildSandboxPage({ baseUrl: settings.BASE_URL, networks, isTest: kind === 'test' });
  return answerTextPage(c, { page, variant: networks.join() });
}

/** The networks that calls are sold on; the first one where nothing is sold. */
function listNetworkNames(settings: ApiWorkerSettings): readonly string[] {
  const networks = resolveNetworks(settings);
  if (!networks.ok) return [getPaymentNetwork(settings).name];
  return listSellings(networks).map(({ network }) => network.name);
}

/** The schemas of this isolate: making them takes a while, and they depend on nothing but the code. */
let known: NamedSchemas | undefined;

function readSchemas(): NamedSchemas {
  known ??= buildComponentSchemas();
  return known;
}

/** Not among the static documents that an isolate remembers: there are more of them than it remembers in all. */
async function answerSchema(c: AppContext): Promise<Response> {
  const file = c.req.param('file') ?? '';
  const { BASE_URL } = c.get('settings');
  const schema = file.endsWith('.json')
    ? buildJsonSchemaFile(readSchemas(), file.slice(0, -'.json'.length), BASE_URL)
    : undefined;
  if (schema === undefined) return failWith(c, NO_SCHEMA);
  const body = formatJson(schema);
  const etag = formatEntityTag(await computeSha256Hex(body));
  const headers = { 'cache-control': SCHEMA_CACHE, etag };
  if (isKnownTag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
  return c.body(body, 200, { ...headers, 'content-type': SCHEMA_TYPE });
}

/** Seen states, never pending ones: a request must not wait for another request's promise. */
const seen = new WeakMap<object, { atMs: number; status: ServiceStatus }>();

/** What the service knows of itself now, or saw within the last minute. Never fails: what cannot be read says so. */
async function readServiceStatus(c: AppContext, options: AppOptions): Promise<ServiceStatus> {
  const { env } = c;
  const nowMs = Date.now();
  const before = seen.get(env.OPERATIONS_REGISTER);
  if (before !== undefined && nowMs - before.atMs < STATUS_AGE_S * 1000) return before.status;
  const settings = c.get('settings');
  const [{ chain, facilitatorAnswers }, { queues }] = await Promise.all([lookAtPayments(env), readQueues(env)]);
  const status = describeStatus({
    lookedAtMs: nowMs,
    sales: {
      isOpen: resolveNetworks(settings).ok && !isClosedForSale(settings),
      networks: listNetworkNames(settings),
    },
    engine: { isConfigured: getAnswerEngines(env, options).ok, demonstration: findDemonstration(settings) },
    chain: chain.read ? { block: chain.block, atMs: chain.atMs } : undefined,
    facilitator: facilitatorAnswers.read ? facilitatorAnswers.status : undefined,
    queues: queues.map((queue) => ({ name: queue.name, messages: queue.read ? queue.messages : undefined })),
  });
  seen.set(env.OPERATIONS_REGISTER, { atMs: nowMs, status });
  return status;
}
