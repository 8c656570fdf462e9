import { Hono } from 'hono';
import { StoreUnreachable } from '../../src/authorization/oauth/store-wait.ts';
import { registerOwnReports } from './account/own-reports.ts';
import { registerAccountRoutes } from './authorization/account.ts';
import { registerAgentRoutes, registerCreditRoutes, registerPanelRoutes, registerToolRoutes } from './sales/paid.ts';
import { registerCardWebhook } from './sales/card-webhook.ts';
import { registerDryRuns } from './sales/dry-run.ts';
import { registerPrepaidMonitorRoutes } from './sales/prepaid-monitor.ts';
import { registerBuyCreditRoutes } from './sales/buy-credits.ts';
import { registerBadgeRoutes } from './pages/badge.ts';
import { deprecatedThings } from '../../src/openapi/deprecations/deprecations-data.ts';
import { buildProblem } from '../../src/problems/codes.ts';
import { BodyBrokenOff } from '../../src/net/request-body.ts';
import { authorizeRoutes } from './authorization/authorize.ts';
import {
  announceDeprecations,
  type AppContext,
  type AppEnv,
  type AppOptions,
  fail,
  failWith,
  requestContext,
} from './context.ts';
import { logLine } from '../shared/telemetry.ts';
import { registerDocsRoutes } from './pages/docs.ts';
import { registerLiveAuditRoutes } from './pages/live-audit.ts';
import { registerDesignRoute } from './pages/design.ts';
import { registerLanguageRoute } from './pages/language.ts';
import { registerCapabilityPages } from './pages/capability-pages.ts';
import { registerAboutRoutes } from './about/routes.ts';
import { registerBotRoutes } from './bot.ts';
import { registerDiscoveryRoutes } from './discovery.ts';
import { registerCheckupRoute } from './authorization/checkup.ts';
import { registerOperatorRoutes } from './authorization/operator.ts';
import { registerMcpRoutes } from './mcp/app.ts';
import { registerA2aRoutes } from './a2a/app.ts';
import { registerMonitorLinks } from './monitors/public.ts';
import { registerMonitorRoutes } from './monitors/routes.ts';
import { registerHostRoutes } from './hosts/routes.ts';
import { refuseByAccept, reportSourceRoutes } from './pages/report-refusals.ts';
import { registerHistoryRoutes } from './pages/history.ts';
import { publishRoutes } from './pages/publish.ts';
import { registerReportExtras } from './pages/report-extras.ts';
import { reportRoutes } from './pages/reports.ts';
import { registerSectionRoutes } from './pages/sections.ts';
import { registerStatementRoutes } from './statements/routes.ts';
import { registerEmailSignIn } from './authorization/email-sign-in.ts';
import { registerPasskeySignIn } from './authorization/passkey-sign-in.ts';
import { signInRoutes } from './authorization/sign-in.ts';
import { registerExampleRoute } from './pages/example.ts';
import { registerSitePageRoutes } from './pages/site-pages.ts';
import { registerTokenRoutes } from './authorization/token.ts';
import { ownRequestId } from '../shared/request-id.ts';
import { ASSETS_PATH, serveWebAsset } from '../shared/web-assets.ts';
import { compressResponse } from '../shared/static-document.ts';

const NOTHING_HERE = buildProblem('not_found');

/** Where only programs ask: whatever they accept, an absent document is a problem there and never a page. */
const PROGRAM_PATHS = ['/.well-known/', '/api/', '/mcp/', '/mcp-account/', '/a2a/'];

const isProgramPath = (path: string): boolean => PROGRAM_PATHS.some((start) => path.startsWith(start));

/** Whether what was asked for has been done is not known. */
function refuseUnreachable(c: AppContext): Response | Promise<Response> {
  logLine({ event: 'token_store_unreachable', request_id: c.get('requestId'), name: StoreUnreachable.name });
  return refuseByAccept(c, buildProblem('sign_in_unavailable', { retryAfterS: UNREACHABLE_RETRY_S }));
}

const UNREACHABLE_RETRY_S = 5;

/** Long texts without secrets; static documents are compressed where they are built. */
const ZIPPED_PATHS = ['/reports/*', '/history/*', '/docs/assets/*'];

/** The api Worker's HTTP surface. `options` come from the entry: production opens public addresses only. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(ownRequestId, announceDeprecations(deprecatedThings), requestContext);
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.get(ASSETS_PATH, serveWebAsset);
  for (const path of ZIPPED_PATHS) app.use(path, compressResponse);
  registerSitePageRoutes(app);
  registerExampleRoute(app);
  registerDocsRoutes(app);
  registerDiscoveryRoutes(app, options); // Before the paid routes: the catalogue shares their path.
  registerAboutRoutes(app, options);
  registerBotRoutes(app);
  registerDryRuns(app, options); // Before the paid routes: what asks for one never gets to them.
  registerAgentRoutes(app, options);
  registerPanelRoutes(app, options);
  registerToolRoutes(app, options);
  registerCreditRoutes(app, options);
  registerCardWebhook(app, options);
  registerPrepaidMonitorRoutes(app, options);
  registerMonitorRoutes(app, options);
  registerHostRoutes(app, options);
  registerMonitorLinks(app);
  registerMcpRoutes(app, options);
  registerA2aRoutes(app, options);
  registerTokenRoutes(app, options);
  signInRoutes(app, options);
  registerEmailSignIn(app, options);
  registerPasskeySignIn(app, options);
  authorizeRoutes(app, options);
  registerAccountRoutes(app, options);
  registerBuyCreditRoutes(app, options);
  registerLiveAuditRoutes(app, options);
  registerCapabilityPages(app, options);
  registerLanguageRoute(app);
  registerDesignRoute(app, options);
  registerReportExtras(app);
  registerOwnReports(app, options);
  reportRoutes(app);
  publishRoutes(app);
  registerBadgeRoutes(app);
  registerHistoryRoutes(app);
  reportSourceRoutes(app);
  registerSectionRoutes(app);
  registerStatementRoutes(app);
  registerOperatorRoutes(app, options);
  registerCheckupRoute(app, options);
  app.notFound((c) => (isProgramPath(c.req.path) ? failWith(c, NOTHING_HERE) : refuseByAccept(c, NOTHING_HERE)));
  app.onError((error, c) => {
    if (error instanceof BodyBrokenOff)
      return fail(c, 'body_broken_off', { detail: 'Nothing was done or charged: send the request again' });
    if (error instanceof StoreUnreachable) return refuseUnreachable(c);
    // The message may quote what a stranger sent: it goes to the log as one JSON string, and never to the answer.
    logLine({ event: 'bug', request_id: c.get('requestId'), name: error.name, message: error.message.slice(0, 300) });
    return isProgramPath(c.req.path)
      ? fail(c, 'internal_error', { detail: 'Repeat the same request with the same payment' })
      : refuseByAccept(c, buildProblem('internal_error'));
  });
  return app;
}
