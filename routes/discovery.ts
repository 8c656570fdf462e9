import type { Hono } from 'hono';
import { openApiDocument } from '../src/openapi/document.ts';
import { problems } from '../src/openapi/problems.ts';
import { serviceIndex } from '../src/openapi/service-index.ts';
import { botPage, serviceLlmsTxt, serviceRobotsTxt } from '../src/openapi/service-texts.ts';
import { type AppEnv, type AppOptions, failWith } from './context.ts';
import { engineOf } from './engine.ts';
import { freeGuard } from './free-guard.ts';

const CACHE = { 'cache-control': 'public, max-age=300' } as const;

/** Free, static documents: catalogue, OpenAPI, llms.txt, robots.txt, the bot's page and the meaning of problem codes. */
export function discoveryRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.get('/', (c) => c.redirect('/api/agent/index', 302));
  app.get('/api/agent/index', freeGuard, (c) => {
    const { BASE_URL, PAY_TO } = c.get('settings');
    return c.json(serviceIndex(BASE_URL, PAY_TO, engineOf(c.env, options).ok), 200, CACHE);
  });
  app.get('/openapi.json', freeGuard, (c) =>
    c.json(openApiDocument(c.get('settings').BASE_URL, engineOf(c.env, options).ok), 200, CACHE),
  );
  app.get('/llms.txt', freeGuard, (c) => c.text(serviceLlmsTxt(c.get('settings').BASE_URL), 200, CACHE));
  app.get('/robots.txt', (c) => c.text(serviceRobotsTxt(c.get('settings').BASE_URL), 200, CACHE));
  app.get('/bot', (c) => c.text(botPage(c.get('settings').BASE_URL), 200, CACHE));
  app.get('/problems/:code', freeGuard, (c) => {
    const row = Object.hasOwn(problems, c.req.param('code')) ? problems[c.req.param('code')] : undefined;
    if (!row) return failWith(c, { status: 404, code: 'not_found', title: 'No such problem code' });
    return c.text(`${c.req.param('code')} (HTTP ${row.status})\n\n${row.title}.\n`, 200, CACHE);
  });
}
