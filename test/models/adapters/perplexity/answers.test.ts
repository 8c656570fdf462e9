import { describe, expect, test } from 'vitest';
import { createPerplexityEngine } from '../../../../src/models/adapters/perplexity/engines.ts';
import type { FailureReason } from '../../../../src/models/port.ts';
import { type EngineReply, readSample } from '../../../support/stack/engine-server.ts';
import { askVendor, KEY, PROMPT, quoteSpans, replay, type Vendor } from '../../vendor-engines.ts';

const vendor: Vendor = { create: createPerplexityEngine, base: '' };

describe('a prompt', () => {
  test('goes to the chat API, which searches from the country', async () => {
    const { requests } = await askVendor(vendor, replay('perplexity/citations.json'), { country: 'BR' });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      path: '/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
      body: {
        model: 'asked-model',
        max_tokens: 1500,
        messages: [{ role: 'user', content: PROMPT.text }],
        web_search_options: { user_location: { country: 'BR' } },
      },
    });
  });

  test('says so where no search is wanted', async () => {
    const { requests } = await askVendor(vendor, replay('perplexity/citations.json'), { webSearch: false });
    expect(requests[0]?.body).toMatchObject({ disable_search: true });
  });
});

describe('an answer', () => {
  test('has its numbered pages at their marks', async () => {
    const { outcome } = await askVendor(vendor, replay('perplexity/citations.json'));
    expect(outcome).toMatchObject({ ok: true, servedModel: 'sonar', finishReason: 'stop' });
    expect(outcome.ok && outcome.citations).toHaveLength(7);
    expect(new Set(quoteSpans(outcome, 'https://en.wikipedia.org/wiki/San_Francisco'))).toEqual(new Set(['[2]']));
  });

  test('has the titles of its search; a mark of a page that is not there says nothing', async () => {
    const { outcome } = await askVendor(vendor, replay('perplexity/search-results.json'));
    expect(outcome.ok && outcome.sources).toEqual([
      { url: 'https://acme.example/desk', title: 'Acme Desk', spans: [[16, 19]] },
      {
        url: 'https://tests.example/2026',
        title: 'Help desks, tested',
        spans: [
          [19, 22],
          [45, 48],
        ],
      },
    ]);
  });

  test('without a list of pages says nothing about them', async () => {
    const { citations: _none, ...body } = JSON.parse(readSample('perplexity/text.json'));
    const { outcome } = await askVendor(vendor, { body: JSON.stringify(body) });
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome).toHaveProperty('citations', undefined);
  });
});

test.each<[string, EngineReply, FailureReason, boolean, number?]>([
  [
    'a wrong key, whose page is HTML',
    replay('perplexity/error-401.html', 401, { 'content-type': 'text/html' }),
    'unauthorized',
    false,
  ],
  ['a model that is gone', replay('perplexity/error-400-model.json', 400), 'refused', false],
  ['too many requests', replay('perplexity/error-429.json', 429), 'rate_limited', true],
  ['the same with a wait', replay('perplexity/error-429.json', 429, { 'retry-after': '3' }), 'rate_limited', true, 3],
  ['a fault of the vendor', replay('perplexity/error-500.json', 500), 'unavailable', true],
  [
    'an answer without a choice',
    { body: JSON.stringify({ ...JSON.parse(readSample('perplexity/text.json')), choices: [] }) },
    'invalid_response',
    false,
  ],
])('%s is a failure', async (_what, reply, reason, retryable, retryAfterS) => {
  const { outcome, requests } = await askVendor(vendor, reply);
  expect(outcome).toMatchObject({ ok: false, reason, retryable });
  expect(outcome.ok || outcome.retryAfterS).toBe(retryAfterS);
  expect(requests).toHaveLength(1);
});
