import { describe, expect, test } from 'vitest';
import { createBoundBrowser } from '../../../../routes/api/bindings/browser.ts';

type Asked = { method: string; path: string; body: string };

/** The binding of the platform: what it was asked, and what it answers to each request in turn. */
function bind(...answers: readonly (() => Response)[]) {
  const asked: Asked[] = [];
  const left = answers.values();
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    asked.push({ method: request.method, path: pathname + search, body: await request.text() });
    const next = left.next().value;
    if (next === undefined) throw new TypeError('not answered');
    return next();
  };
  return { binding: { fetch } as unknown as Fetcher, asked };
}

const URL_OF_PAGE = 'https://www.acme.co.uk/page';
const created = () => Response.json({ sessionId: 'session-1' });
const closed = () => Response.json({ status: 'closed' });

test('acquires a browser for the domain of the page alone, speaks to it over a socket, and ends it', async () => {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  const heard: unknown[] = [];
  server.addEventListener('message', ({ data }) => {
    const { id, method } = JSON.parse(String(data)) as { id: number; method: string };
    heard.push(method);
    server.send(JSON.stringify({ id, result: { product: 'Chrome' } }));
  });
  const { binding, asked } = bind(created, () => new Response(null, { status: 101, webSocket: client }), closed);
  const outcome = await createBoundBrowser(binding)(URL_OF_PAGE);
  if (!outcome.ok) throw new Error(outcome.detail);
  expect(await outcome.opened.browser.send('Browser.getVersion')).toEqual({ product: 'Chrome' });
  await outcome.opened.close();
  expect(heard).toEqual(['Browser.getVersion']);
  expect(asked).toEqual([
    {
      method: 'POST',
      path: '/v1/devtools/browser?keep_alive=10000&lab=true',
      body: JSON.stringify({ guardrails: { allowedDomains: ['acme.co.uk', '*.acme.co.uk'] } }),
    },
    { method: 'GET', path: '/v1/devtools/browser/session-1', body: '' },
    { method: 'DELETE', path: '/v1/devtools/browser/session-1', body: '' },
  ]);
});

describe('is no browser, with the reason', () => {
  test.each([
    [
      'over the limit of the account',
      [() => new Response('limit', { status: 429 })],
      'The browser binding answered 429',
    ],
    [
      'an answer of another shape',
      [() => Response.json({ sessionId: '../x' })],
      'The browser binding failed (ZodError)',
    ],
    ['an answer that is no JSON', [() => new Response('<html>')], 'The browser binding failed (SyntaxError)'],
    ['no answer', [], 'The browser binding failed (TypeError)'],
  ])('%s', async (_name, answers, detail) => {
    expect(await createBoundBrowser(bind(...answers).binding)(URL_OF_PAGE)).toEqual({ ok: false, detail });
  });

  test('no socket: what was acquired is ended', async () => {
    const { binding, asked } = bind(created, () => new Response('busy', { status: 409 }), closed);
    expect(await createBoundBrowser(binding)(URL_OF_PAGE)).toEqual({
      ok: false,
      detail: 'The browser binding opened no connection',
    });
    expect(asked.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1/devtools/browser/session-1' });
  });
});
