import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { buy as buyMeasurement, engineWorld } from '../sales/engine-world.ts';
import { settleOnChain } from '../sales/settling-chain.ts';
import { post, signedCredential, type World, world } from '../world.ts';
import { buy, tell } from './publish-world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Follows no redirect. */
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  exports.default.fetch(new Request(`${env.BASE_URL}${path}`, { headers, redirect: 'manual' }));

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';
const UNKNOWN = '0'.repeat(32);
const PNG = [0x89, 0x50, 0x4e, 0x47];

async function buyCheck(capability = 'check_health'): Promise<string> {
  const answer = await post({ capability, credential: await signedCredential(capability) });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { report_id: string }).report_id;
}

const cardsOf = async (): Promise<string[]> =>
  (await env.REPORTS.list({ prefix: 'cards/' })).objects.map(({ key }) => key);

describe('GET /reports/{id}/card.png', () => {
  const card = (id: string): Promise<Response> => get(`/reports/${id}/card.png`);

  test('X5: of an unlisted report leads to the picture that all share, and nothing is drawn', async () => {
    const { report_id: id } = await buy();
    const answer = await card(id);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/web/card.png']);
    expect(await cardsOf()).toEqual([]);
  });

  test('X5: is drawn when its report is published, and deleted when it is taken back', async () => {
    const { report_id: id, publish_token: token = '' } = await buy();
    expect((await tell('publish', id, token)).status).toBe(200);
    const answer = await card(id);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    });
    expect([...new Uint8Array(await answer.arrayBuffer()).slice(0, 4)]).toEqual(PNG);
    expect(await (await get(`/reports/${id}.html`)).text()).toContain(
      `<meta property="og:image" content="${env.BASE_URL}/reports/${id}/card.png"/>`,
    );
    expect((await tell('unpublish', id, token)).status).toBe(200);
    expect((await card(id)).status).toBe(302);
    expect(await cardsOf()).toEqual([]);
    expect(await (await get(`/reports/${id}.html`)).text()).toContain(`content="${env.BASE_URL}/web/card.png"`);
  });

  test('of a report that was sold public is there at once, and of one published before this was drawn it is the shared one', async () => {
    const { report_id: id } = await buy({ publish: true });
    expect((await card(id)).status).toBe(200);
    await env.REPORTS.delete(`cards/${id}.png`);
    expect((await card(id)).headers.get('location')).toBe('/web/card.png');
  });

  test('of no report is none', async () => {
    expect((await card(UNKNOWN)).status).toBe(404);
    expect((await get(`/reports/${UNKNOWN}x/card.png`)).status).toBe(404);
  });
});

describe('what changed since', () => {
  test('the form of a report leads to the comparison, by address or id', async () => {
    const [one, other] = [await buyCheck(), await buyCheck()];
    for (const text of [other, `${env.BASE_URL}/reports/${other}#publish`, ` /reports/${other}.json `]) {
      const answer = await get(`/reports/${one}/since?other=${encodeURIComponent(text)}`);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/reports/${one}/since/${other}`]);
    }
    const refused = await get(`/reports/${one}/since?other=%3Cscript%3E`);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('That is no address and no id of a report');
  });

  test('X5: is as private as both reports, in the language of its reader, and the same whichever is named first', async () => {
    const [one, other] = [await buyCheck(), await buyCheck('full_audit')];
    const answer = await get(`/reports/${one}/since/${other}`, { 'accept-language': 'de' });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      vary: expect.stringContaining('Accept-Language, Cookie') as string,
    });
    const text = await answer.text();
    expect(text).toContain('<html lang="de">');
    expect(text).toContain('Neu durchgefallen (0)');
    const turned = await get(`/reports/${other}/since/${one}`, { 'accept-language': 'de' });
    expect((await turned.text()).split('<article')[1]).toBe(text.split('<article')[1]);
  });

  test.each([
    ['a report that is unknown', UNKNOWN, 404],
    ['itself', '', 422],
  ])('of %s says so', async (_what, other, status) => {
    const id = await buyCheck();
    expect((await get(`/reports/${id}/since/${other === '' ? id : other}`)).status).toBe(status);
  });

  test('of two subjects, and of files, is refused with what to do', async () => {
    const [health, skill] = [await buyCheck(), await buyCheck('generate_skill')];
    const answer = await get(`/reports/${health}/since/${skill}`);
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(text).toContain('These two reports cannot be compared');
    expect(text).toContain('neither checks nor figures');
  });
});

test('a page of a report is in the language of its reader, and says what it depends on', async () => {
  const id = await buyCheck();
  const german = await get(`/reports/${id}`, { accept: BROWSER, 'accept-language': 'de-CH, en;q=0.5' });
  expect(german.headers.get('vary')).toBe('Accept, Accept-Language, Cookie, Accept-Encoding');
  expect(await german.text()).toContain('Link kopieren');
  const chosen = await get(`/reports/${id}`, {
    accept: BROWSER,
    'accept-language': 'de',
    cookie: 'sightline-language=en',
  });
  expect(await chosen.text()).toContain('Copy link');
});

describe('the answers of a measurement', () => {
  const hostile = '1. **Acme**: <script>alert(1)</script> [click](https://evil.example) \u001b[31mred';
  const sell = async (): Promise<string> => {
    const engine = engineWorld();
    settleOnChain(seen);
    const plain = engine.answer;
    engine.answer = (prompt) => {
      const answer = plain(prompt);
      return prompt.index === 3 && 'text' in answer ? { ...answer, text: hostile } : answer;
    };
    const answer = await buyMeasurement();
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { report_id: string }).report_id;
  };

  test('X6: are on its page as text, marked as they were counted, and in a CSV file', async () => {
    const id = await sell();
    const page = await (await get(`/reports/${id}.html`)).text();
    expect(page).toContain('<mark class="name of-brand">Acme</mark>');
    expect(page).toContain('<span class="outcome recommended">Recommended</span>');
    expect(page).not.toMatch(/<script>alert|href="https:\/\/evil/);
    expect(page).not.toContain('\u001b');
    const csv = await get(`/reports/${id}/answers.csv`);
    expect(Object.fromEntries(csv.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="sightline-${id}-answers.csv"`,
      'cache-control': 'private, max-age=300',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(
      (await csv.text()).match(/\r\n(?:discovery|recommendation|problem|comparison|price|trust)-\d,/g),
    ).toHaveLength(30);
    const mentions = await get(`/reports/${id}/answers.csv?table=mentions`);
    expect(mentions.headers.get('content-disposition')).toBe(`attachment; filename="sightline-${id}-mentions.csv"`);
    expect((await mentions.text()).split('\r\n')[0]).toBe('prompt_id,engine,name,whose,outcome,quote');
    const lines = await get(`/reports/${id}/answers.jsonl`);
    expect(lines.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
    const rows = (await lines.text()).trimEnd().split('\n');
    expect(rows).toHaveLength(30);
    expect(JSON.parse(rows[3] ?? '')).toMatchObject({ status: 'answered', answer: hostile });
    expect((await get(`/reports/${id}/answers.jsonl?table=hashes`)).status).toBe(406);
    const markdown = await (await get(`/reports/${id}.md`)).text();
    expect(markdown).toContain('## What the answers say');
    expect(markdown).not.toMatch(/<script>alert|\]\(https:\/\/evil/);
  });

  test('of two measurements of one brand are compared question by question', async () => {
    const [one, other] = [await sell(), await sell()];
    const page = await (await get(`/reports/${one}/since/${other}`)).text();
    expect(page).toContain('Change of the mention rate');
    expect(page).toContain('may be chance');
    await env.REPORTS.delete(`snapshots/${one}.json.gz`);
    const without = await (await get(`/reports/${one}/since/${other}`)).text();
    expect(without).not.toContain('Change of the mention rate');
    expect(without).toContain('Mention rate');
  });

  test('are said to be gone where they are, and the rest of the report is there', async () => {
    const id = await sell();
    await env.REPORTS.delete(`snapshots/${id}.json.gz`);
    const page = await (await get(`/reports/${id}.html`)).text();
    expect(page).toContain('The texts of these answers are not stored here');
    expect(page).toContain('Mention rate');
    expect((await get(`/reports/${id}/answers.csv`)).status).toBe(404);
  });

  test('are none of a report without a measurement', async () => {
    expect((await get(`/reports/${await buyCheck()}/answers.csv`)).status).toBe(404);
  });
});
