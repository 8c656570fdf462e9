import { describe, expect, test } from 'vitest';
import { createAnthropicEngine } from '../../../../src/models/adapters/anthropic/engines.ts';
import type { FailureReason } from '../../../../src/models/port.ts';
import { type EngineReply, readSample } from '../../../support/stack/engine-server.ts';
import { askVendor, KEY, PROMPT, quoteSpans, replay, type Vendor } from '../../vendor-engines.ts';

const vendor: Vendor = { create: createAnthropicEngine, base: '/v1' };

describe('a prompt', () => {
  test('goes to the Messages API with the tool of web search, whose uses are limited', async () => {
    const { requests } = await askVendor(vendor, replay('anthropic/web-search.json'), { country: 'JP' });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': KEY },
      body: {
        model: 'asked-model',
        max_tokens: 1500,
        messages: [{ role: 'user', content: [{ type: 'text', text: PROMPT.text }] }],
        tools: [
          {
            type: 'web_search_20250305',
            name: 'web_search',
            max_uses: 3,
            user_location: { type: 'approximate', country: 'JP' },
          },
        ],
      },
    });
    expect(requests[0]?.body).not.toHaveProperty('system');
  });

  test('goes without tools where no search is wanted', async () => {
    const { requests } = await askVendor(vendor, replay('anthropic/web-search.json'), { webSearch: false });
    expect(requests[0]?.body).not.toHaveProperty('tools');
  });
});

describe('an answer of a search', () => {
  test('has the text of all blocks, and the pages that each claim cites', async () => {
    const { outcome } = await askVendor(vendor, replay('anthropic/web-search.json'));
    expect(outcome).toMatchObject({ ok: true, servedModel: 'claude-sonnet-4-20250514', finishReason: 'stop' });
    if (!outcome.ok) return;
    expect(outcome.sources?.length).toBeGreaterThan(1);
    for (const { url, title } of outcome.sources ?? []) {
      expect(title).toBeTypeOf('string');
      for (const quote of quoteSpans(outcome, url)) expect(outcome.text).toContain(quote);
      expect(quoteSpans(outcome, url).join('').length).toBeGreaterThan(10);
    }
    // A page of the results that no block cites.
    expect(outcome.citations).not.toContain('https://scitechdaily.com/');
  });

  test('that could not search is no answer of one', async () => {
    const { outcome } = await askVendor(vendor, replay('anthropic/search-failed.json'));
    expect(outcome).toMatchObject({ ok: false, reason: 'unavailable', retryable: true });
  });

  test('that the model means to go on with is cut off', async () => {
    const { outcome } = await askVendor(vendor, replay('anthropic/pause-turn.json'));
    expect(outcome).toMatchObject({ ok: true, finishReason: 'length' });
  });
});

test.each<[string, EngineReply, FailureReason, boolean, number?]>([
  ['a wrong key', replay('anthropic/error-401.json', 401), 'unauthorized', false],
  ['a model that is gone', replay('anthropic/error-404.json', 404), 'refused', false],
  ['too many requests', replay('anthropic/error-429.json', 429), 'rate_limited', true],
  ['the same with a wait', replay('anthropic/error-429.json', 429, { 'retry-after': '7' }), 'rate_limited', true, 7],
  ['a fault of the vendor', replay('anthropic/error-500.json', 500), 'unavailable', true],
  ['too much to do', replay('anthropic/error-529.json', 529), 'unavailable', true],
])('%s is a failure', async (_what, reply, reason, retryable, retryAfterS) => {
  const { outcome, requests } = await askVendor(vendor, reply);
  expect(outcome).toMatchObject({ ok: false, reason, retryable });
  expect(outcome.ok || outcome.retryAfterS).toBe(retryAfterS);
  expect(requests).toHaveLength(1);
});

test('a refusal is one by the word of the vendor, with its text or its reason', async () => {
  const { outcome } = await askVendor(vendor, replay('anthropic/refusal.json'));
  expect(outcome).toMatchObject({ ok: true, isRefusal: true, text: expect.stringMatching(/^This request triggered/u) });
  const body = JSON.parse(readSample('anthropic/refusal.json'));
  const begun = { ...body, content: [{ type: 'text', text: 'The best of them' }] };
  expect((await askVendor(vendor, { body: JSON.stringify(begun) })).outcome).toMatchObject({
    isRefusal: true,
    text: 'The best of them',
  });
  const bare = { ...body, stop_details: undefined };
  expect((await askVendor(vendor, { body: JSON.stringify(bare) })).outcome).toMatchObject({
    isRefusal: true,
    text: '',
  });
});

test('a call of a tool is not taken for an answer without its text', async () => {
  const { outcome } = await askVendor(vendor, replay('anthropic/tool-call.json'));
  expect(outcome).toMatchObject({ ok: true, finishReason: 'other' });
});
