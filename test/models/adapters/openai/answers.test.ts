import { describe, expect, test, vi } from 'vitest';
import { createOpenAiResponsesEngine } from '../../../../src/models/adapters/openai/engines.ts';
import { type FailureReason, MAX_ANSWER_BYTES } from '../../../../src/models/port.ts';
import { type EngineReply, readSample } from '../../../support/stack/engine-server.ts';
import { askVendor, KEY, PROMPT, quoteSpans, replay, type Vendor } from '../../vendor-engines.ts';

const vendor: Vendor = { create: createOpenAiResponsesEngine, base: '/v1' };

/** A recorded answer with other content of its message. */
function say(content: readonly object[]): EngineReply {
  const body = JSON.parse(readSample('openai/refusal.json'));
  body.output[0].content = content;
  return { body: JSON.stringify(body) };
}

describe('a prompt', () => {
  test('goes to the Responses API with the tool of web search, and nothing is stored there', async () => {
    const { requests } = await askVendor(vendor, replay('openai/web-search.json'), { country: 'DE' });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      path: '/v1/responses',
      headers: { authorization: `Bearer ${KEY}` },
      body: {
        model: 'asked-model',
        input: [{ role: 'user', content: [{ type: 'input_text', text: PROMPT.text }] }],
        max_output_tokens: 1500,
        store: false,
        tools: [{ type: 'web_search', user_location: { type: 'approximate', country: 'DE' } }],
      },
    });
  });

  test('goes without tools where no search is wanted', async () => {
    const { requests } = await askVendor(vendor, replay('openai/web-search.json'), { webSearch: false });
    expect(requests[0]?.body).not.toHaveProperty('tools');
  });

  test('goes to the same place where the full address is set', async () => {
    const { requests } = await askVendor({ ...vendor, base: '/v1/responses/' }, replay('openai/web-search.json'));
    expect(requests[0]?.path).toBe('/v1/responses');
  });
});

describe('an answer of a search', () => {
  test('has the text, the served model, and the pages that it cites at their marks', async () => {
    const { outcome } = await askVendor(vendor, replay('openai/web-search.json'));
    expect(outcome).toMatchObject({ ok: true, servedModel: 'gpt-5-mini-2025-08-07', finishReason: 'stop' });
    if (!outcome.ok) return;
    expect(outcome.citations?.length).toBeGreaterThan(2);
    expect(outcome.sources?.map(({ url }) => url)).toEqual(outcome.citations);
    for (const { url, title, spans } of outcome.sources ?? []) {
      expect(title).not.toBe('');
      expect(spans?.length).toBeGreaterThan(0);
      for (const quote of quoteSpans(outcome, url)) expect(quote).toContain(url.split('?')[0]);
    }
  });

  test('has no page that was only read on the way', async () => {
    const { outcome } = await askVendor(vendor, replay('openai/web-search.json'));
    const read = /"url": "(https:\/\/www\.barrons\.com[^"]*)"/u.exec(readSample('openai/web-search.json'))?.[1];
    expect(read).toBeDefined();
    expect(outcome.ok && outcome.citations).not.toContain(read);
  });

  const mark = '([acme.example](https://acme.example/))';
  const cite = (from: number, to: number) => ({
    type: 'url_citation',
    url: 'https://acme.example/',
    title: 'Acme',
    start_index: from,
    end_index: to,
  });
  const text = `🍵🍵 Acme ${mark}.`;
  const [units, characters] = [
    text.indexOf(mark),
    [...new Intl.Segmenter().segment(text.slice(0, text.indexOf(mark)))].length,
  ];

  test.each([
    ['characters of Unicode', characters],
    ['units of UTF-16', units],
  ])('finds marks that are counted in %s', async (_what, from) => {
    const { outcome } = await askVendor(
      vendor,
      say([{ type: 'output_text', text, annotations: [cite(from, from + mark.length)] }]),
    );
    expect(quoteSpans(outcome, 'https://acme.example/')).toEqual([mark]);
  });

  test('of a long text has the marks that are kept, and each character of it is read once', async () => {
    const long = `🍵 ${'Tea. '.repeat(6000)}${mark} ${'Tea. '.repeat(400_000)}${mark}🍵`;
    const late = long.lastIndexOf(mark) - 1;
    const annotations = [
      cite(long.indexOf(mark) - 1, long.indexOf(mark) - 1 + mark.length),
      ...Array.from({ length: 999 }, (_, at) => ({ ...cite(late, late + mark.length), url: `https://${at}.example/` })),
    ];
    const read = vi.spyOn(String.prototype, 'codePointAt');
    const { outcome } = await askVendor(vendor, say([{ type: 'output_text', text: long, annotations }]));
    const { length } = read.mock.calls;
    read.mockRestore();
    expect(length).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    expect(outcome).toMatchObject({ ok: true, finishReason: 'length', citations: ['https://acme.example/'] });
    expect(quoteSpans(outcome, 'https://acme.example/')).toEqual([mark]);
  });

  test('that could not search is no answer of one; one that found something is', async () => {
    const { outcome } = await askVendor(vendor, replay('openai/search-failed.json'));
    expect(outcome).toMatchObject({ ok: false, reason: 'unavailable', retryable: true });
    const body = JSON.parse(readSample('openai/search-failed.json'));
    body.output.unshift({ ...body.output[0], id: 'ws_0', status: 'completed' });
    expect((await askVendor(vendor, { body: JSON.stringify(body) })).outcome).toMatchObject({ ok: true });
  });

  test('in two parts has marks of both at their places', async () => {
    const part = { type: 'output_text', text: `Acme ${mark}.`, annotations: [cite(5, 5 + mark.length)] };
    const { outcome } = await askVendor(vendor, say([part, part]));
    expect(quoteSpans(outcome, 'https://acme.example/')).toEqual([mark, mark]);
  });

  test('that cites nothing has no source where a search was wanted, and unknown ones where none was', async () => {
    const plain = say([{ type: 'output_text', text: 'Acme.', annotations: [] }]);
    expect((await askVendor(vendor, plain)).outcome).toMatchObject({ ok: true, citations: [], sources: [] });
    const { outcome } = await askVendor(vendor, plain, { webSearch: false });
    expect(outcome).toMatchObject({ ok: true, text: 'Acme.' });
    expect(outcome).toHaveProperty('citations', undefined);
  });
});

test('a refusal is one by the word of the vendor, with its text', async () => {
  const { outcome } = await askVendor(vendor, replay('openai/refusal.json'));
  expect(outcome).toMatchObject({ ok: true, isRefusal: true, text: "I'm sorry, I can't help with that." });
});

test('an answer that is cut off says so', async () => {
  expect((await askVendor(vendor, replay('openai/incomplete.json'))).outcome).toMatchObject({ finishReason: 'length' });
});

test.each<[string, EngineReply, FailureReason, boolean, number?]>([
  ['a call of a tool in place of an answer', replay('openai/tool-call.json'), 'empty_answer', true],
  ['a wrong key', replay('openai/error-401.json', 401), 'unauthorized', false],
  ['a model that is gone', replay('openai/error-404.json', 404), 'refused', false],
  ['too many requests', replay('openai/error-429.json', 429), 'rate_limited', true],
  ['the same with a wait', replay('openai/error-429.json', 429, { 'retry-after': '20' }), 'rate_limited', true, 20],
  ['money that is used up', replay('openai/error-429-quota.json', 429), 'rate_limited', false],
  ['a fault of the vendor', replay('openai/error-500.json', 500), 'unavailable', true],
])('%s is a failure', async (_what, reply, reason, retryable, retryAfterS) => {
  const { outcome, requests } = await askVendor(vendor, reply);
  expect(outcome).toMatchObject({ ok: false, reason, retryable });
  expect(outcome.ok || outcome.retryAfterS).toBe(retryAfterS);
  expect(requests).toHaveLength(1);
  expect(JSON.stringify(outcome)).not.toMatch(/sk-|127\.0\.0\.1/u);
});
