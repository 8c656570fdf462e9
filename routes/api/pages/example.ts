import type { Hono } from 'hono';
import {
  EXAMPLE_PATH,
  EXAMPLE_RECORDING_PATH,
  type ExampleReport,
  replayExample,
} from '../../../src/web/start/example.ts';
import { renderExamplePage } from '../../../src/web/start/example-page.tsx';
import { buildProblem } from '../../../src/problems/codes.ts';
import { serveStaticDocument } from '../../shared/static-document.ts';
import { buildPageHeaders, buildTransportHeaders } from '../../shared/page-headers.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { refuseRequest } from './pages.ts';

/** `GET /example`: a whole report, of the demo site. It is read by the same code as what is bought. */
export function registerExampleRoute(app: Hono<AppEnv>): void {
  app.get(EXAMPLE_PATH, guardFreeRoute, async (c) => {
    const example = await readExample(c);
    if (example === undefined) return refuseRequest(c, NOT_BUILT);
    const { BASE_URL: baseUrl } = c.get('settings');
    const language = c.get('language');
    const { 'cache-control': _kept, ...policy } = buildPageHeaders({ script: true });
    return serveStaticDocument(c, `${EXAMPLE_PATH} ${language}`, async () => ({
      type: 'text/html; charset=utf-8',
      body: String(await renderExamplePage({ example, baseUrl, language })),
      headers: { ...policy, vary: 'Accept-Language, Cookie', ...buildTransportHeaders(baseUrl) },
    }));
  });
}

const NOT_BUILT = buildProblem('not_found', {
  detail: 'The example of this deployment is not built: `npm run build:web` builds it.',
});

/** The example of this isolate: judging it takes some 50 ms, and it depends on nothing but the build. */
let replayed: ExampleReport | undefined;

/** Undefined where the static files were not built. */
export async function readExample(c: AppContext): Promise<ExampleReport | undefined> {
  if (replayed !== undefined) return replayed;
  const found = await c.env.ASSETS?.fetch(new Request(new URL(EXAMPLE_RECORDING_PATH, c.req.url)));
  if (found?.status !== 200) return undefined;
  replayed = await replayExample(await found.text());
  return replayed;
}
