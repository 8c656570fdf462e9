import type { Context } from 'hono';

/** Style sheets and scripts are asked for again with each page: the answer is mostly 304. */
const HEADERS = {
  'cache-control': 'public, max-age=0, must-revalidate',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** The path of the static files of both Workers. */
export const ASSETS_PATH = '/web/*';

/**
 * `GET /web/*`: files of `public/`. The platform serves them before it asks the Worker; this route is for where it does
 * not, and says the same.
 */
export async function serveWebAsset(c: Context): Promise<Response> {
  const assets = (c.env as { ASSETS?: Pick<Fetcher, 'fetch'> }).ASSETS;
  const found = await assets?.fetch(
    new Request(c.req.url, { method: c.req.method, headers: buildConditionalHeaders(c) }),
  );
  if (found === undefined || (found.status !== 200 && found.status !== 304)) return c.notFound();
  const answer = new Response(found.body, found);
  for (const [name, value] of Object.entries(HEADERS)) answer.headers.set(name, value);
  return answer;
}

function buildConditionalHeaders(c: Context): Record<string, string> {
  const tag = c.req.header('if-none-match');
  return tag === undefined ? {} : { 'if-none-match': tag };
}
