import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { readHistory } from '../../../../src/sales/reports/published-store.ts';
import { signedIn } from '../../../durable-objects/authorization-world.ts';
import { balanceOf, postPack, signedPack } from '../sales/credit-world.ts';
import { settleOnChain } from '../sales/settling-chain.ts';
import { PAYER, signedCredential, type World, world } from '../world.ts';
import { call, envelope, modern, rpcOf, type Sent, textOf, type ToolResult } from './world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
  settleOnChain(seen);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const SITE = { url: 'https://shop.example/' };
const NO_REPORT = '0'.repeat(32);

const summaryOf = ({ structuredContent }: ToolResult) =>
  z
    .looseObject({
      view: z.literal('summary'),
      report_id: z.string(),
      report_url: z.string(),
      do_first: z.array(z.looseObject({ id: z.string() })),
      publish_token: z.string().optional(),
      payment: z.unknown(),
    })
    .parse(structuredContent);

/** A full audit that is bought at the open endpoint. */
async function bought(meta: Record<string, unknown> = {}): Promise<ToolResult> {
  const credential = await signedCredential('full_audit');
  return call('full_audit', SITE, { meta: { 'x402/payment': credential, ...meta } });
}

describe('a bought result is read in pieces', () => {
  test('the summary leads to the first fix, and the fix is free', async () => {
    const { report_id: id, do_first: first } = summaryOf(await bought());
    const settled = seen.calls.settle.length;
    const fix = await call('get_fix', { report_id: id, fix_id: first[0]?.id });
    expect(fix.isError).toBeUndefined();
    expect(fix.structuredContent).toMatchObject({ fix_id: first[0]?.id, evidence: { untrusted: true } });
    const page = await call('read_report', { report_id: id, section: 'checks', status: 'fail' });
    expect(page.structuredContent).toMatchObject({ report_id: id, section: 'checks', evidence: { untrusted: true } });
    expect(textOf(page)).toContain('# Checks');
    expect(seen.calls.settle).toHaveLength(settled);
  });

  test('P28: what is read again says nothing of who paid, and has no publish token', async () => {
    const result = await bought();
    const { report_id: id, publish_token: token } = summaryOf(result);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(summaryOf(result).payment).toBeDefined();
    for (const again of [
      await call('read_report', { report_id: id }),
      await call('read_report', { report_id: id, section: 'requests' }),
    ]) {
      const text = JSON.stringify(again);
      for (const secret of [token ?? '', PAYER, '"payment"', 'publish_token']) expect(text).not.toContain(secret);
    }
  });

  test('one purchase is read in any view', async () => {
    const credential = await signedCredential('full_audit');
    const inView = (view: string) =>
      call('full_audit', SITE, { meta: { 'x402/payment': credential, 'sightline/view': view } });
    const full = await inView('full');
    expect(full.structuredContent).toMatchObject({ capability: 'full_audit', evidence: { result: { scores: {} } } });
    expect((await inView('standard')).structuredContent).toMatchObject({ view: 'standard' });
    expect((await inView('summary')).structuredContent).toMatchObject({ view: 'summary' });
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('a view that there is not is refused before the payment is touched', async () => {
    const result = await bought({ 'sightline/view': 'huge' });
    expect(result.structuredContent).toMatchObject({ code: 'invalid_view', status: 400 });
    expect([seen.calls.verify, seen.calls.settle]).toEqual([[], []]);
  });

  test.each([
    ['read_report', { report_id: NO_REPORT }, 'report_not_found'],
    ['get_fix', { report_id: NO_REPORT, fix_id: 'a' }, 'report_not_found'],
    ['publish_report', { report_id: NO_REPORT, publish_token: 'a' }, 'report_not_found'],
    ['read_report', { report_id: 'A' }, 'invalid_body'],
    ['read_report', { report_id: NO_REPORT, section: 'secrets' }, 'invalid_body'],
  ])('%s of %j is %s', async (name, given, code) => {
    const result = await call(name, given);
    expect(result).toMatchObject({ isError: true, structuredContent: { code } });
  });

  test('a section or a fix that a report lacks is said with those that it has', async () => {
    const { report_id: id } = summaryOf(await bought());
    const section = await call('read_report', { report_id: id, section: 'answers' });
    expect(section.structuredContent).toMatchObject({
      code: 'unknown_section',
      detail: expect.stringContaining('checks'),
    });
    const fix = await call('get_fix', { report_id: id, fix_id: 'no.such' });
    expect(fix.structuredContent).toMatchObject({ code: 'unknown_fix', status: 404 });
  });

  test('sections are resources of Markdown', async () => {
    const { report_id: id } = summaryOf(await bought());
    const read = await rpcOf(await modern('resources/read', { uri: `sightline://reports/${id}/fixes` }));
    expect(read.result).toMatchObject({ contents: [{ mimeType: 'text/markdown' }], cacheScope: 'private' });
    for (const uri of [`sightline://reports/${id}/answers`, `sightline://reports/${NO_REPORT}/fixes`])
      expect((await rpcOf(await modern('resources/read', { uri }))).error?.code).toBe(-32_602);
  });

  test('the card is a page that every paid tool names, the same for everybody', async () => {
    const { result } = await rpcOf(await modern('resources/read', { uri: 'ui://sightline/report' }));
    expect(result).toMatchObject({ contents: [{ mimeType: 'text/html;profile=mcp-app' }], cacheScope: 'public' });
  });

  test('F7: an audit of ours reads no report and publishes none', async () => {
    const headers = { via: '1.1 sightline' };
    const result = await call('read_report', { report_id: NO_REPORT }, { headers });
    expect(result.structuredContent).toMatchObject({ code: 'loop_detected' });
  });
});

describe('publishing is a tool of its own', () => {
  test('X5: the holder of the token publishes, as often as it likes, and no one else does', async () => {
    const { report_id: id, publish_token: token } = summaryOf(await bought());
    const wrong = await call('publish_report', { report_id: id, publish_token: '0'.repeat(64) });
    expect(wrong.structuredContent).toMatchObject({ code: 'publish_refused' });
    expect(await readHistory(env.REPORTS, 'shop.example')).toHaveLength(0);
    for (const _again of [1, 2]) {
      const result = await call('publish_report', { report_id: id, publish_token: token });
      expect(result.structuredContent).toMatchObject({ report_id: id, published: true });
    }
    expect(await readHistory(env.REPORTS, 'shop.example')).toHaveLength(1);
  });
});

describe('at the account endpoint', () => {
  const path = '/mcp-account';

  async function holder(): Promise<Sent> {
    await postPack(5, { credential: await signedPack(5) });
    const { access } = await signedIn({ scope: ['audit:run', 'credits:use'], address: PAYER });
    return { path, headers: { authorization: `Bearer ${access}` } };
  }

  test('A6: an account lists its own reports; the open endpoint has no such tool', async () => {
    const sent = await holder();
    const { report_id: id } = summaryOf(await call('check_health', SITE, sent));
    const { structuredContent } = await call('list_reports', {}, sent);
    expect(structuredContent).toMatchObject({ reports: [{ report_id: id, capability: 'check_health' }] });
    expect((await call('list_reports', { cursor: 'abc' }, sent)).structuredContent).toMatchObject({
      code: 'invalid_cursor',
    });
    expect((await rpcOf(await modern('tools/call', { name: 'list_reports', arguments: {} }))).error?.code).toBe(
      -32_602,
    );
  });

  const ASKING = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
  const buy = async (sent: Sent, more: Record<string, unknown> = {}) => {
    const params = { name: 'fix_pack', arguments: SITE, ...more, _meta: { ...envelope, ...ASKING } };
    return (await rpcOf(await modern('tools/call', params, sent))).result;
  };

  test('Y10: a client that can ask its user is asked the price, and buys with the yes', async () => {
    const sent = await holder();
    const asked = await buy(sent);
    expect(asked).toMatchObject({ resultType: 'input_required' });
    const [[key, question] = ['', undefined]] = Object.entries(Object(asked?.['inputRequests']));
    expect(JSON.stringify(question)).toContain('fix_pack costs 0.55 USD');
    expect(await balanceOf()).toBe(5_000_000);
    const declined = await buy(sent, { inputResponses: { [key]: { action: 'decline' } } });
    expect(declined).toMatchObject({ isError: true, structuredContent: { code: 'declined' } });
    expect(await balanceOf()).toBe(5_000_000);
    const sold = await buy(sent, { inputResponses: { [key]: { action: 'accept', content: { buy: true } } } });
    expect(sold).toMatchObject({ structuredContent: { capability: 'fix_pack' } });
    expect(await balanceOf()).toBe(4_450_000);
  });
});
