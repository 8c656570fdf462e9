import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { presenters } from '../../../src/capabilities/site-work.ts';
import { parseRecording } from '../../../src/capabilities/recording.ts';
import type { Rewriter } from '../../../src/fixes/files/html-rewriter.ts';
import { get, HTML_PAGE, post, problemOf, signedCredential, type World, world } from './world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Sold = { report_id: string; report_url: string; payment: unknown; statement: unknown; receipt: unknown };
const newRewriter = (): Rewriter => new HTMLRewriter();

async function buy(capability = 'check_health'): Promise<Sold> {
  const answer = await post({ capability, credential: await signedCredential(capability) });
  expect(answer.status).toBe(200);
  return await answer.json();
}

describe('the snapshot of a report', () => {
  test.each(['check_health', 'check_schema'])(
    'of %s presents the sold result again, to the byte',
    async (capability) => {
      // What is signed says something of the result, and is no part of it.
      const {
        report_id: id,
        report_url: _url,
        payment: _pay,
        statement: _s,
        receipt: _r,
        ...sold
      } = await buy(capability);
      const answer = await get(`/reports/${id}/snapshot`);
      expect(answer.status).toBe(200);
      const read = parseRecording(await answer.text());
      if (!read.ok) throw new Error(read.detail);
      const { recording } = read;
      expect(recording.capability).toBe(capability);
      const present = presenters[capability as 'check_health'];
      const again = await present(recording, { newRewriter });
      if (!again.ok) throw new Error(again.detail);
      const { url } = recording.input;
      expect(JSON.stringify({ capability, url, ...again.result, warnings: again.warnings })).toBe(JSON.stringify(sold));
    },
  );

  test('F10: is a file to be saved, not a page of our origin, and says nothing to search engines', async () => {
    const { report_id: id } = await buy();
    const { headers } = await get(`/reports/${id}/snapshot`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="sightline-${id}.snapshot.json"`,
      'x-robots-tag': expect.stringContaining('noindex'),
      'referrer-policy': 'no-referrer',
      'cache-control': expect.stringContaining('private'),
    });
  });

  test('F10: holds no cookie and no secret of the audited site', async () => {
    seen.site = () =>
      Promise.resolve(
        new Response(HTML_PAGE, {
          headers: { 'content-type': 'text/html', 'set-cookie': 'sid=s3cr3t-cookie', 'x-api-key': 's3cr3t-key' },
        }),
      );
    const { report_id: id } = await buy();
    const text = await (await get(`/reports/${id}/snapshot`)).text();
    expect(text).toContain('Example Desk');
    expect(text).not.toContain('s3cr3t');
  });

  test.each(['0'.repeat(32), 'x', '../../reports'])('of the unknown id %j is 404', async (id) => {
    expect((await problemOf(await get(`/reports/${id}/snapshot`))).status).toBe(404);
  });

  test('P11: is as closed as its report while the payment is not settled', async () => {
    const ids: string[] = [];
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
      const bytes = array as Uint8Array;
      if (bytes.length === 16) ids.push([...bytes.fill(7)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
      return array;
    });
    seen.settle = () => new Response('busy', { status: 503 });
    const answer = await post({ credential: await signedCredential() });
    expect((await problemOf(answer)).code).toBe('settlement_unknown');
    const id = '07'.repeat(16);
    expect(ids).toContain(id);
    expect((await problemOf(await get(`/reports/${id}.json`))).status).toBe(404);
    expect((await problemOf(await get(`/reports/${id}/snapshot`))).status).toBe(404);
  });
});
