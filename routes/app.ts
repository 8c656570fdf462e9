import { Hono } from 'hono';
import { accountRoutes } from './account.ts';
import { agentRoutes } from './agent.ts';
import { authorizeRoutes } from './authorize.ts';
import { type AppEnv, type AppOptions, failWith, requestContext } from './context.ts';
import { logLine } from './log.ts';
import { creditRoutes } from './credits.ts';
import { discoveryRoutes } from './discovery.ts';
import { operatorRoutes } from './operator.ts';
import { mcpRoutes } from './mcp.ts';
import { reportRoutes } from './reports.ts';
import { signInRoutes } from './sign-in.ts';
import { tokenRoutes } from './token.ts';
import { ASSETS_PATH, webAsset } from './web-assets.ts';

/** The api Worker's HTTP surface. `options` come from the entry: production opens public addresses only. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(requestContext);
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.get(ASSETS_PATH, webAsset);
  discoveryRoutes(app, options); // Before the paid routes: the catalogue stands under the same path.
  agentRoutes(app, options);
  creditRoutes(app, options);
  mcpRoutes(app, options);
  tokenRoutes(app, options);
  signInRoutes(app, options);
  authorizeRoutes(app, options);
  accountRoutes(app, options);
  reportRoutes(app);
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
