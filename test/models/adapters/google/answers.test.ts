import { describe, expect, test, vi } from 'vitest';
import { createGoogleEngine } from '../../../../src/models/adapters/google/engines.ts';
import type { FailureReason } from '../../../../src/models/port.ts';
import { type EngineReply, readSample } from '../../../support/stack/engine-server.ts';
import { askVendor, KEY, PROMPT, quoteSpans, replay, type Vendor } from '../../vendor-engines.ts';

const vendor: Vendor = { create: createGoogleEngine, base: '/v1beta' };
/** Which models search is a matter of their names. */
const askSearching: typeof askVendor = (given, reply, changes) =>
  askVendor(given, reply, { model: 'gemini-2.5-flash', ...changes });
const REDIRECT = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ';

/** The recorded grounding with other parts, or another segment of its first support. */
function ground({ parts, segment }: { parts?: readonly object[]; segment?: object }): EngineReply {
  const body = JSON.parse(readSample('google/grounded.json'));
  const [candidate] = body.candidates;
  if (parts) candidate.content.parts = parts;
  if (segment) candidate.groundingMetadata.groundingSupports[0].segment = segment;
  return { body: JSON.stringify(body) };
}

describe('a prompt', () => {
  test('goes to the Gemini API with search, the key in a header', async () => {
    const { requests } = await askVendor(vendor, replay('google/grounded.json'), { model: 'gemini-2.5-flash' });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      path: '/v1beta/models/gemini-2.5-flash:generateContent',
      headers: { 'x-goog-api-key': KEY },
      body: {
        contents: [{ role: 'user', parts: [{ text: PROMPT.text }] }],
        generationConfig: { maxOutputTokens: 1500 },
        tools: [{ googleSearch: {} }],
      },
    });
  });

  test('goes without tools where no search is wanted', async () => {
    const { requests } = await askVendor(vendor, replay('google/grounded.json'), { webSearch: false });
    expect(requests[0]?.body).not.toHaveProperty('tools');
  });
});

test('a model that the provider lets search nothing gives no answer of a search, and prints nothing', async () => {
  const [warn, emit] = [vi.spyOn(console, 'warn'), vi.spyOn(process, 'emitWarning')];
  const { outcome } = await askVendor(vendor, replay('google/text.json'), { model: 'gemini-1.0-pro' });
  expect(outcome).toMatchObject({ ok: false, reason: 'refused', retryable: false });
  const { outcome: plain } = await askVendor(vendor, replay('google/text.json'), { webSearch: false });
  expect(plain).toMatchObject({ ok: true });
  expect(warn).not.toHaveBeenCalled();
  expect(emit).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

describe('an answer that is grounded', () => {
  test('has its pages at the claims that they support, whose bytes become characters', async () => {
    const { outcome } = await askSearching(vendor, replay('google/grounded.json'));
    expect(outcome).toMatchObject({ ok: true, servedModel: 'gemini-2.5-flash', finishReason: 'stop' });
    expect(outcome.ok && outcome.sources?.map(({ title }) => title)).toEqual(['acme.example', 'tests.example']);
    expect(quoteSpans(outcome, `${REDIRECT}1`)).toEqual([
      'Für Cafés 🍵 gilt: Acme Desk führt.',
      'Beta Works ist günstiger.',
    ]);
    expect(quoteSpans(outcome, `${REDIRECT}2`)).toEqual(['Beta Works ist günstiger.']);
  });

  test.each([
    ['whose words are elsewhere is found by them', { startIndex: 1, endIndex: 9, text: 'Beta Works' }, ['Beta Works']],
    ['whose words are nowhere is left out', { startIndex: 1, endIndex: 9, text: 'Gamma' }, []],
    ['beyond the text is left out', { startIndex: 5, endIndex: 9_999 }, []],
    ['in a part that is not there is left out', { partIndex: 7, endIndex: 3 }, []],
    ['before the text is left out', { startIndex: -4, endIndex: 3 }, []],
  ])('a claim %s', async (_what, segment, quotes) => {
    const { outcome } = await askSearching(vendor, ground({ segment }));
    expect(quoteSpans(outcome, `${REDIRECT}1`)).toEqual([...quotes, 'Beta Works ist günstiger.']);
  });

  test('counts claims in the part that they name, and thoughts are none of the text', async () => {
    const parts = [
      { text: 'Hm.', thought: true },
      { text: 'Ja: ' },
      { text: 'Für Cafés 🍵 gilt: Acme Desk führt. Beta Works ist günstiger.' },
    ];
    const { outcome } = await askSearching(
      vendor,
      ground({ parts, segment: { partIndex: 2, endIndex: 5, text: 'Für ' } }),
    );
    expect(outcome).toMatchObject({ ok: true, text: expect.stringMatching(/^Ja: Für/u) });
    expect(quoteSpans(outcome, `${REDIRECT}1`)).toContain('Für ');
  });

  test('that is not grounded has no source', async () => {
    const { outcome } = await askSearching(vendor, replay('google/text.json'));
    expect(outcome).toMatchObject({ ok: true, citations: [], servedModel: 'gemini-3-pro-preview' });
  });
});

test.each<[string, EngineReply, FailureReason, boolean, number?]>([
  ['a prompt that is blocked', replay('google/blocked-prompt.json'), 'filtered', false],
  ['an answer that is blocked', replay('google/blocked-answer.json'), 'filtered', false],
  ['a call of a tool in place of an answer', replay('google/tool-call.json'), 'empty_answer', true],
  ['a wrong key, which is status 400 here', replay('google/error-400-key.json', 400), 'unauthorized', false],
  ['a model that is gone', replay('google/error-404.json', 404), 'refused', false],
  [
    'too many requests, whose wait is in the body',
    replay('google/error-429-retry-info.json', 429),
    'rate_limited',
    true,
    35,
  ],
  ['a fault of the vendor', replay('google/error-500.json', 500), 'unavailable', true],
])('%s is a failure', async (_what, reply, reason, retryable, retryAfterS) => {
  const { outcome, requests } = await askSearching(vendor, reply);
  expect(outcome).toMatchObject({ ok: false, reason, retryable });
  expect(outcome.ok || outcome.retryAfterS).toBe(retryAfterS);
  expect(requests).toHaveLength(1);
});
