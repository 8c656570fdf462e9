import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { get, post, problemOf, signedCredential, world } from '../world.ts';

beforeEach(() => {
  world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Item = Record<string, unknown>;
type Page = {
  section: string;
  total: number;
  items: Item[];
  next_cursor?: string;
  links: { next?: string; markdown: string };
};
type Sold = { report_id: string; report_url: string; scores: Record<string, unknown> };

async function buy(capability = 'full_audit'): Promise<Sold> {
  const answer = await post({ capability, credential: await signedCredential(capability) });
  expect(answer.status).toBe(200);
  return await answer.json();
}

const pathOf = (url: string): string => url.slice(new URL(url).origin.length);

describe('GET /reports/{id}/sections/{name}', () => {
  test('P28: gives a section page by page, each with a link to the next, and nothing of the payment', async () => {
    const { report_id: id, report_url } = await buy();
    let path: string | undefined = `/reports/${id}/sections/checks`;
    const items: Item[] = [];
    let total = 0;
    for (let pages = 0; path !== undefined && pages < 50; pages += 1) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      expect(text).not.toMatch(/"payment"|publish_token/);
      const page = JSON.parse(text) as Page;
      items.push(...page.items);
      total = page.total;
      const next: string | undefined = page.links.next;
      expect(answer.headers.get('link')).toBe(
        `${next === undefined ? '' : `<${next}>; rel="next", `}<${report_url}>; rel="alternate"; type="text/html"`,
      );
      path = next === undefined ? undefined : pathOf(next);
    }
    expect(items).toHaveLength(total);
    expect(new Set(items.map(({ id: one }) => one)).size).toBe(total);
  });

  test('a page has an ETag, and is not sent again to who has it', async () => {
    const { report_id: id } = await buy('check_health');
    const first = await get(`/reports/${id}/sections/checks?status=fail`);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const again = await get(`/reports/${id}/sections/checks?status=fail`, { 'if-none-match': `"x", W/${etag}` });
    expect({ status: again.status, body: await again.text() }).toEqual({ status: 304, body: '' });
    const other = await get(`/reports/${id}/sections/checks`, { 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  test.each([
    ['/checks.md', undefined],
    ['/checks', 'text/markdown, application/json;q=0.5'],
  ])('%s with Accept %s is Markdown', async (path, accept) => {
    const { report_id: id } = await buy('check_health');
    const answer = await get(`/reports/${id}/sections${path}`, accept === undefined ? {} : { accept });
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await answer.text()).toMatch(/^# Checks\n/);
  });

  test('X5: what it refuses says why, and nothing about reports of others', async () => {
    const { report_id: id } = await buy('check_health');
    const refused = async (path: string) => problemOf(await get(`/reports/${path}`));
    expect(await refused(`${id}/sections/answers`)).toEqual({ status: 404, code: 'unknown_section' });
    expect(await refused(`${id}/sections/checks.html`)).toEqual({ status: 404, code: 'unknown_section' });
    expect(await refused(`${id}/sections/checks?status=red`)).toEqual({ status: 400, code: 'invalid_filter' });
    expect(await refused(`${id}/sections/checks?cursor=abc`)).toEqual({ status: 400, code: 'invalid_cursor' });
    expect(await refused(`${'0'.repeat(32)}/sections/checks`)).toEqual({ status: 404, code: 'report_not_found' });
    const later = Date.now() + 31 * 86_400_000;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    expect(await refused(`${id}/sections/checks`)).toEqual({ status: 410, code: 'report_expired' });
  });
});

describe('views of a stored report', () => {
  test('are chosen by view or by Prefer, and say so', async () => {
    const { report_id: id, report_url } = await buy();
    const minimal = await get(`/reports/${id}`, { accept: 'application/json', prefer: 'return=minimal' });
    expect(minimal.headers.get('preference-applied')).toBe('return=minimal');
    expect(minimal.headers.get('vary')).toContain('Prefer');
    expect(await minimal.json()).toMatchObject({ view: 'summary', report_id: id, report_url });
    const standard = await get(`/reports/${id}.json?view=standard`);
    expect(await standard.json()).toMatchObject({ view: 'standard', report_url });
    expect(standard.headers.get('link')).toContain(`<${report_url}>; rel="alternate"`);
    expect(await (await get(`/reports/${id}.json?fields=report_id`)).json()).toEqual({ report_id: id });
    expect(await problemOf(await get(`/reports/${id}.json?view=tiny`))).toEqual({ status: 400, code: 'invalid_view' });
  });
});
