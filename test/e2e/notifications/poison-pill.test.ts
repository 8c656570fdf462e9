import { Cloudflare } from '../../conformance/packages/cloudflare.ts';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { LEFT_OUT } from '../../../src/search/jobs/parts.ts';
import { type ControlStack, startControlStack } from '../../conformance/support/control-stack.ts';
import { pdfOfEndlessFont } from '../../search/pdf/endless-font.ts';
import { isFull } from '../../support/runner/budget.ts';
import { onePage, shown } from '../../search/pdf/file.ts';

const at = { account_id: 'demo', name: 'default' } as const;
/** For hangs only. */
const IN_TIME = { timeout: 90_000, interval: 250 };

let stack: ControlStack | undefined;
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await stack?.stop();
  stack = undefined;
});

async function siteOf(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

const clientOf = ({ world: { url, token } }: ControlStack) =>
  new Cloudflare({ apiToken: token, baseURL: `${url}/client/v4`, maxRetries: 0 }).aiSearch.namespaces.instances;

const byKey = <T>(rows: readonly T[]): T[] => rows.toSorted((a, b) => String(a).localeCompare(String(b)));

/** A site with these pages, all of which its sitemap lists. */
function serving(pages: Readonly<Record<string, RequestListener>>): RequestListener {
  return (request, response) => {
    const { url = '' } = request;
    const origin = `http://${request.headers.host}`;
    const locs = Object.keys(pages).map((path) => `<url><loc>${origin}${path}</loc></url>`);
    if (url === '/sitemap.xml') {
      response.setHeader('content-type', 'application/xml');
      response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs.join('')}</urlset>`);
    } else if (pages[url]) pages[url](request, response);
    else response.writeHead(404).end();
  };
}

const page =
  (text: string): RequestListener =>
  (_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Page</title><main><p>${text}</main>`);
  };

/** A reader follows the subroutines of its font for ever. */
const hanging = pdfOfEndlessFont();

test('B1: a page that kills workerd twice is left out of its crawl, and all Workers answer again', async () => {
  const running = await startControlStack();
  stack = running;
  let deaths = 0;
  const crashes: Promise<void>[] = [];
  const site = await siteOf(
    serving({
      '/a': page('One'),
      '/poison': () => {
        deaths += 1;
        crashes.push(running.crash()); // While it is being read.
      },
      '/b': page('Two'),
    }),
  );
  const instances = clientOf(running);
  await instances.create('default', { account_id: 'demo', id: 'poisoned', type: 'web-crawler', source: `${site}/` });
  const ended = async () => {
    const jobs = await instances.jobs.list('poisoned', at).catch(() => undefined); // Down for a moment.
    return jobs?.result[0]?.ended_at ?? undefined;
  };
  await expect.poll(ended, IN_TIME).toBeDefined();
  await Promise.all(crashes);
  expect(deaths).toBe(2);
  const { result } = await instances.items.list('poisoned', at);
  const shownItems = result.map(({ key, status, error }) => [key.replace(site, ''), status, error ?? null]);
  expect(byKey(shownItems)).toEqual([
    ['/a', 'completed', null],
    ['/b', 'completed', null],
    ['/poison', 'error', `could not be read: ${LEFT_OUT}`],
  ]);
  for (const url of [running.api, running.world.url]) expect((await fetch(`${url}/health`)).status).toBe(200);
});

// `npm test` has the same file in test/local/pdf/pdf-service.test.ts, without the Workers around it.
test.runIf(isFull)(
  'B1: a PDF that no judge foresaw ends by itself, the Workers answer meanwhile, and the stack stops while it is read',
  async () => {
    stack = await startControlStack();
    const instances = clientOf(stack);
    const pdf =
      (bytes: Uint8Array): RequestListener =>
      (_request, response) => {
        response.setHeader('content-type', 'application/pdf');
        response.end(bytes);
      };
    const honest = onePage('/Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R', { content: shown('Honest') });
    const site = await siteOf(serving({ '/hanging.pdf': pdf(hanging), '/honest.pdf': pdf(honest) }));
    await instances.create('default', { account_id: 'demo', id: 'pdfs', type: 'web-crawler', source: `${site}/` });
    let [asked, answered] = [0, 0];
    const ended = async () => {
      const health = await Promise.all([stack?.api, stack?.world.url].map((url) => fetch(`${url}/health`)));
      asked += health.length;
      answered += health.filter(({ status }) => status === 200).length;
      const [job] = (await instances.jobs.list('pdfs', at)).result;
      return job?.ended_at ?? undefined;
    };
    await expect.poll(ended, IN_TIME).toBeDefined();
    expect(asked).toBeGreaterThan(2); // Beside the reading, however soon that is ended.
    expect(answered).toBe(asked);
    const { result } = await instances.items.list('pdfs', at);
    expect(byKey(result.map(({ key, status, error }) => [key.replace(site, ''), status, error ?? null]))).toEqual([
      [
        '/hanging.pdf',
        'error',
        'could not be read: took_too_long: The file could not be read in the time that a file may take',
      ],
      ['/honest.pdf', 'completed', null],
    ]);
    const file = { file: new File([new Uint8Array(hanging)], 'hanging.pdf', { type: 'application/pdf' }) };
    const upload = instances.items.upload('pdfs', { ...at, file }).then(
      () => 'answered',
      (error: unknown) => (error instanceof Cloudflare.APIError ? (error.status ?? 'cut off') : error),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // It is being read.
    await stack.stop();
    stack = undefined;
    expect(await upload).toBe('cut off');
  },
);
