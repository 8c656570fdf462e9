import { env, exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const ask = (path: string, accept?: string): Promise<Response> =>
  exports.default.fetch(
    new Request(new URL(path, env.BASE_URL), { redirect: 'manual', headers: accept === undefined ? {} : { accept } }),
  ) as Promise<Response>;

describe('an unknown address', () => {
  test.each([undefined, '*/*', 'application/json'])('is a problem for a program that accepts %s', async (accept) => {
    const answer = await ask('/nope', accept);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(await answer.json()).toMatchObject({ code: 'not_found', next: expect.stringContaining('/api/agent/index') });
  });

  test('is a page for a browser, with ways on and the form of an audit', async () => {
    const answer = await ask('/nope', BROWSER);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('vary')).toContain('Accept');
    expect(page).toContain('<form class="card" method="post" action="/audit">');
    for (const href of ['/', '/docs/', '/problems/not_found']) expect(page).toContain(`href="${href}"`);
    expect(page).not.toMatch(/No such resource|programs begin|GET \/api/);
  });
});

describe('the page of a refusal', () => {
  const askIn = (path: string, language: string): Promise<Response> =>
    exports.default.fetch(
      new Request(new URL(path, env.BASE_URL), { headers: { accept: BROWSER, 'accept-language': language } }),
    ) as Promise<Response>;

  test.each([
    ['de-AT,de;q=0.9,en;q=0.5', 'de', 'Diese Seite gibt es nicht', 'Zur Startseite'],
    ['fr,en;q=0.5', 'en', 'This page does not exist', 'Go to the start page'],
  ])('is in the language that %s asks for', async (accepted, language, title, button) => {
    const page = await (await askIn('/nope?a=1', accepted)).text();
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).toContain(`<a class="button" href="/">${button}</a>`);
    expect(page).toContain('<input type="hidden" name="to" value="/nope?a=1"/>');
  });

  test('leads to no other host, whatever was asked for', async () => {
    const page = await (await ask('//elsewhere.example/x', BROWSER)).text();
    expect(page).not.toContain('elsewhere.example');
  });
});

describe('what is not there is a page with a way on', () => {
  test.each([
    ['/reports/0123456789abcdef0123456789abcdef', 'report_not_found', 'run a new audit'],
    ['/history/nothing.example', 'history_not_found', 'publish its report'],
  ])('%s', async (path, code, next) => {
    const answer = await ask(path, BROWSER);
    const page = await answer.text();
    expect(answer.status).toBe(404);
    expect(page).toContain(code);
    expect(page).toContain(next);
    expect(page).toContain('action="/audit"');
  });

  test('a history fills in the host that was asked for, and only a host', async () => {
    expect(await (await ask('/history/nothing.example', BROWSER)).text()).toContain('value="https://nothing.example/"');
    expect(await (await ask('/history/%22%3E%3Cb%3E', BROWSER)).text()).toContain('value=""');
  });
});

test('the type of a problem leads people to its section of the documentation, and is text for programs', async () => {
  const page = await ask('/problems/payment_already_used', BROWSER);
  expect([page.status, page.headers.get('location')]).toEqual([302, '/docs/reference/problems#payment_already_used']);
  const text = await ask('/problems/payment_already_used');
  expect(await text.text()).toMatch(
    /^payment_already_used \(HTTP 409\)\n\nThis payment was used before\.\n.*\n.*payer proof/,
  );
});
