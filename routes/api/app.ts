import { Hono } from 'hono';
import { accountRoutes } from './authorization/account.ts';
import { agentRoutes } from './sales/agent.ts';
import { badgeRoutes } from './pages/badge.ts';
import { BodyBrokenOff } from '../../src/net/request-body.ts';
import { authorizeRoutes } from './authorization/authorize.ts';
import { type AppEnv, type AppOptions, failWith, requestContext } from './context.ts';
import { logLine } from '../shared/log.ts';
import { liveAuditRoutes } from './pages/live-audit.ts';
import { creditRoutes } from './sales/credits.ts';
import { discoveryRoutes } from './discovery.ts';
import { operatorRoutes } from './authorization/operator.ts';
import { mcpRoutes } from './mcp/app.ts';
import { reportSourceRoutes } from './pages/report-refusals.ts';
import { historyRoutes } from './pages/history.ts';
import { publishRoutes } from './pages/publish.ts';
import { reportRoutes } from './pages/reports.ts';
import { signInRoutes } from './authorization/sign-in.ts';
import { sitePageRoutes } from './pages/site-pages.ts';
import { tokenRoutes } from './authorization/token.ts';
import { ASSETS_PATH, webAsset } from '../shared/web-assets.ts';
import { zipped } from './pages/zipped.ts';

/** Long texts that hold nobody's secret; static documents are zipped where they are made. */
const ZIPPED_PATHS = ['/reports/*', '/history/*'];

const bodyBrokenOff = {
  status: 400,
  code: 'body_broken_off',
  title: 'The body ended too early, or its framing is broken',
  detail: 'Nothing was done or charged: send the request again',
} as const;

/** The api Worker's HTTP surface. `options` come from the entry: production opens public addresses only. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(requestContext);
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.get(ASSETS_PATH, webAsset);
  for (const path of ZIPPED_PATHS) app.use(path, zipped);
  sitePageRoutes(app);
  discoveryRoutes(app, options); // Before the paid routes: the catalogue stands under the same path.
  agentRoutes(app, options);
  creditRoutes(app, options);
  mcpRoutes(app, options);
  tokenRoutes(app, options);
  signInRoutes(app, options);
  authorizeRoutes(app, options);
  accountRoutes(app, options);
  liveAuditRoutes(app, options);
  reportRoutes(app);
  publishRoutes(app);
  badgeRoutes(app);
  historyRoutes(app);
  reportSourceRoutes(app);
  operatorRoutes(app, options);
  app.notFound((c) =>
    failWith(c, {
      status: 404,
      code: 'not_found',
      title: 'No such resource',
      detail: 'GET /api/agent/index lists what is here',
    }),
  );
  app.onError((error, c) => {
    if (error instanceof BodyBrokenOff) return failWith(c, bodyBrokenOff);
    // The message may quote what a stranger sent: it goes to the log as one JSON string, and never to the answer.
    logLine({ event: 'bug', request_id: c.get('requestId'), name: error.name, message: error.message.slice(0, 300) });
    return failWith(c, {
      status: 500,
      code: 'internal_error',
      title: 'A fault of ours: repeat the same request with the same payment',
    });
  });
  return app;
}
