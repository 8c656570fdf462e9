import type { Hono } from 'hono';
import { type AboutPath, type AboutRow, aboutRows } from '../../../src/about/about-data.ts';
import { buildAsyncApi } from '../../../src/about/asyncapi.ts';
import { formatAuthMd } from '../../../src/about/auth-md.ts';
import { type Changelog, formatChangesFeed } from '../../../src/about/changelog-feed.ts';
import { buildJsonSchemaFile, listJsonSchemas, type NamedSchemas } from '../../../src/about/json-schemas.ts';
import { formatSecurityTxt } from '../../../src/about/security-txt.ts';
import { formatIsoDay } from '../../../src/lib/time.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { formatEntityTag, isKnownTag } from '../../../src/net/entity-tag.ts';
import { buildComponentSchemas } from '../../../src/openapi/document.ts';
import { BASE } from '../../../src/payment/terms/networks-data.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { getPaymentNetwork } from '../../../src/sales/seller.ts';
import { buildChangelogPage, FEED_PATH } from '../../../src/web/about/changelog-text.ts';
import { buildDeprecationsPage } from '../../../src/web/about/deprecations-text.ts';
import { buildSandboxPage } from '../../../src/web/about/sandbox-text.ts';
import { buildStatusPage } from '../../../src/web/about/status-text.ts';
import { formatMarkdownPath } from '../../../src/web/start/page.tsx';
import { serveStaticDocument } from '../../shared/static-document.ts';
import { type AppContext, type AppEnv, type AppOptions, failWith } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { answerWholeDocs } from '../pages/docs.ts';
import { refuseByAccept } from '../pages/report-refusals.ts';
import { readChangelog } from './available.ts';
import { readServiceStatus, STATUS_AGE_S } from './status.ts';
import { answerMomentaryPage, answerTextPage } from './text-pages.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const SCHEMA_TYPE = 'application/schema+json; charset=utf-8';
/** A deployment changes schemas, nothing else does. */
const SCHEMA_CACHE = 'public, max-age=3600';

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
      body: formatJson(listJsonSchemas(recallSchemas(), c.get('settings').BASE_URL)),
    })),
  '/asyncapi.json': (c) =>
    serveStaticDocument(c, '/asyncapi.json', () => ({
      type: JSON_TYPE,
      body: formatJson(buildAsyncApi(c.get('settings').BASE_URL)),
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
  app.get('/schemas/:file', guardFreeRoute, answerSchema);
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
  return answerTextPage(c, { page: buildChangelogPage(changelog), variant: nameChangelog(changelog), feed });
}

const nameChangelog = ({ changed, sections }: Changelog): string => `${changed} ${sections.length}`;

async function answerFeed(c: AppContext): Promise<Response> {
  const changelog = await readChangelog(c);
  if (changelog === undefined) return refuseByAccept(c, NOT_BUILT);
  return serveStaticDocument(c, `${FEED_PATH} ${nameChangelog(changelog)}`, () => ({
    type: 'application/atom+xml; charset=utf-8',
    body: formatChangesFeed(changelog, c.get('settings').BASE_URL),
  }));
}

function answerAuthMd(c: AppContext): Promise<Response> {
  const settings = c.get('settings');
  const { name } = getPaymentNetwork(settings);
  return serveStaticDocument(c, `/auth.md ${name}`, () => ({
    type: 'text/markdown; charset=utf-8',
    body: formatAuthMd(settings.BASE_URL, name),
  }));
}

function answerSandbox(c: AppContext): Promise<Response> {
  const settings = c.get('settings');
  const { id, name } = getPaymentNetwork(settings);
  const page = buildSandboxPage({
    baseUrl: settings.BASE_URL,
    network: { title: name, isTest: id !== BASE.id },
  });
  return answerTextPage(c, { page, variant: id });
}

/** The schemas of this isolate: making them takes a while, and they depend on nothing but the code. */
let known: NamedSchemas | undefined;

function recallSchemas(): NamedSchemas {
  known ??= buildComponentSchemas();
  return known;
}

/** Not among the static documents that an isolate remembers: there are more of them than it remembers in all. */
async function answerSchema(c: AppContext): Promise<Response> {
  const file = c.req.param('file') ?? '';
  const { BASE_URL } = c.get('settings');
  const schema = file.endsWith('.json')
    ? buildJsonSchemaFile(recallSchemas(), file.slice(0, -'.json'.length), BASE_URL)
    : undefined;
  if (schema === undefined) return failWith(c, NO_SCHEMA);
  const body = formatJson(schema);
  const etag = formatEntityTag(await computeSha256Hex(body));
  const headers = { 'cache-control': SCHEMA_CACHE, etag };
  if (isKnownTag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
  return c.body(body, 200, { ...headers, 'content-type': SCHEMA_TYPE });
}
