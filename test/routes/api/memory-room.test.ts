import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WorkOutcome } from '../../../src/capabilities/capability.ts';
import { type Hold, heldBytes, MAX_HELD_BYTES, MAX_PREVIEW_BYTES } from '../../../src/net/held-bytes.ts';
import { balanceOf, call as creditCall, postPack, rowOf, signedPack } from './sales/credit-world.ts';
import { call as mcpCall, textOf } from './mcp/world.ts';
import { askPreview, eventsIn } from './pages/preview-world.ts';
import { settleOnChain, transferOnChain } from './sales/settling-chain.ts';
import { decode, ledgerRows, PAYER, post, problemOf, signedCredential, type World, world } from './world.ts';

const BUSY = { status: 503, code: 'service_busy' };
const SITE = 'https://shop.example/';
const FREE: WorkOutcome = { ok: true, result: { said: 'done' }, warnings: [] };

let seen: World;
let taken: Hold[] = [];
beforeEach(() => {
  seen = world();
  settleOnChain(seen);
});
afterEach(() => {
  giveBack();
  vi.restoreAllMocks();
});

/** Takes all that purchases may begin with. */
function fillUp(): void {
  const hold = heldBytes.take('body', MAX_HELD_BYTES - heldBytes.held());
  if (!hold) throw new Error('nothing was free');
  taken.push(hold);
}

function giveBack(): void {
  for (const hold of taken) hold.release();
  taken = [];
}

describe('B4: memory for a purchase', () => {
  test('is taken by nobody whose payment is not verified yet', async () => {
    const gate = Promise.withResolvers<Response>();
    seen.verify = () => gate.promise;
    const waiting = post({ credential: await signedCredential() });
    await vi.waitFor(() => expect(seen.calls.verify).toHaveLength(1));
    expect(heldBytes.held()).toBe(0);
    gate.resolve(Response.json({ isValid: false, invalidReason: 'insufficient_funds', payer: PAYER }));
    expect((await waiting).status).not.toBe(200);
    expect(heldBytes.held()).toBe(0);
  });

  test('is looked for before the claim: 503 with Retry-After, nothing claimed, and the same payment buys later', async () => {
    const credential = await signedCredential();
    const rows = await ledgerRows();
    fillUp();
    const answer = await post({ credential });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await problemOf(answer)).toEqual(BUSY);
    expect([seen.calls.verify.length, seen.calls.settle.length, await ledgerRows()]).toEqual([0, 0, rows]);
    giveBack();
    expect((await post({ credential })).status).toBe(200);
  });

  test('that is gone by the time a payment is verified releases the claim, and counts as no failure of the payer', async () => {
    const credential = await signedCredential();
    seen.verify = () => {
      fillUp();
      return Response.json({ isValid: true, payer: PAYER });
    };
    for (let tried = 0; tried < 21; tried += 1) {
      expect(await problemOf(await post({ credential }))).toEqual(BUSY);
      giveBack();
    }
    expect([seen.calls.settle, seen.calls.site]).toEqual([[], []]);
    seen.verify = { isValid: true, payer: PAYER };
    expect((await post({ credential })).status).toBe(200);
    expect(heldBytes.held()).toBe(0);
  });

  test('is not needed for what needs no work: a repeat, and a hash that was sold', async () => {
    const [signed, hash] = [await signedCredential(), transferOnChain(seen, 60_000)];
    const sold = await (await post({ credential: signed })).text();
    expect((await post({ credential: hash })).status).toBe(200);
    fillUp();
    const again = await post({ credential: signed });
    expect([again.status, await again.text()]).toEqual([200, sold]);
    expect(await problemOf(await post({ credential: hash }))).toEqual({ status: 409, code: 'payment_already_used' });
    expect(await problemOf(await post({ credential: transferOnChain(seen, 60_000) }))).toEqual(BUSY);
  });

  test('is needed where the result of a sale was lost and its work is done again', async () => {
    const credential = await signedCredential();
    expect((await post({ credential })).status).toBe(200);
    for (const { key } of (await env.REPORTS.list({ prefix: 'reports/' })).objects) await env.REPORTS.delete(key);
    fillUp();
    expect(await problemOf(await post({ credential }))).toEqual(BUSY);
    giveBack();
    expect((await post({ credential })).status).toBe(200);
  });

  test('that is used up while a site is read releases the payment: nothing is judged by half, nothing is charged', async () => {
    const credential = await signedCredential();
    const elder = heldBytes.take('purchase', 1);
    const page = seen.site;
    seen.site = (url) => {
      if (url.pathname !== '/') return page(url);
      taken.push(elder as Hold);
      elder?.grow(MAX_HELD_BYTES - heldBytes.held());
      return new Response('<p>word</p>'.repeat(100_000), { headers: { 'content-type': 'text/html' } });
    };
    expect(await problemOf(await post({ credential }))).toEqual(BUSY);
    expect(seen.calls.settle).toEqual([]);
    giveBack();
    seen.site = page;
    expect((await post({ credential })).status).toBe(200);
  });

  test('is taken from previews first, which end for it: a full isolate still sells', async () => {
    const preview = heldBytes.take('preview', MAX_PREVIEW_BYTES);
    const rest = heldBytes.take('body', MAX_HELD_BYTES - MAX_PREVIEW_BYTES);
    if (!preview || !rest) throw new Error('nothing was free');
    taken.push(preview, rest);
    expect(preview.grow(0)).toBe(true);
    expect((await post({ credential: await signedCredential() })).status).toBe(200);
    expect([preview.grow(0), rest.grow(0)]).toEqual([false, true]);
  });

  test('is said by MCP too, without terms of payment', async () => {
    const credential = await signedCredential();
    fillUp();
    const meta = { 'x402/payment': decode(credential) };
    const result = await mcpCall('check_health', { url: SITE }, { meta });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('service_busy');
    expect(textOf(result)).not.toContain('accepts');
    expect(seen.calls.verify).toEqual([]);
  });

  test('is looked for before credits are reserved, and taken before the work', async () => {
    await postPack(5, { credential: await signedPack(5) });
    const code = async (...given: Parameters<typeof creditCall>) => {
      const answer = await creditCall(...given);
      return answer.kind === 'problem' ? answer.problem.code : answer.kind;
    };
    const row = rowOf('check_health', async () => FREE);
    expect(await code({ row, idempotencyKey: 'bought' })).toBe('sold');
    const balance = await balanceOf();
    fillUp();
    expect(await code({ row, idempotencyKey: 'another' })).toBe('service_busy');
    expect(await code({ row, idempotencyKey: 'bought' })).toBe('sold');
    expect(await balanceOf()).toBe(balance);
    giveBack();
    expect(await code({ row, idempotencyKey: 'another' })).toBe('sold');
    expect(heldBytes.held()).toBe(0);
  });
});

describe('B4: memory for a preview', () => {
  test('that is not there is 503 with Retry-After before the host is asked for a place', async () => {
    const hold = heldBytes.take('preview', MAX_PREVIEW_BYTES);
    if (hold) taken.push(hold);
    const answer = await askPreview(SITE);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await problemOf(answer)).toEqual(BUSY);
    expect(seen.calls.site).toEqual([]);
  });

  test('that is used up while it reads ends it with a problem instead of a result', async () => {
    seen.site = () => {
      const hold = heldBytes.take('preview', MAX_PREVIEW_BYTES - heldBytes.held());
      if (hold) taken.push(hold);
      return new Response('<p>word</p>'.repeat(100_000), { headers: { 'content-type': 'text/html' } });
    };
    const told = await eventsIn(await askPreview('https://starved.example/'));
    expect(told.at(-1)).toMatchObject({ event: 'problem', data: { code: 'service_busy' } });
    giveBack();
    expect(heldBytes.held()).toBe(0);
  });

  test('is given back when counting the preview fails', async () => {
    vi.spyOn(env.RATE_COUNTER, 'getByName').mockImplementation(() => {
      throw new Error('the counter is down');
    });
    await askPreview('https://counted.example/').then((answer) => answer.text());
    expect(heldBytes.held()).toBe(0);
  });
});
