import { describe, expect, test } from 'vitest';
import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import { createAnthropicEngine } from '../../../src/models/adapters/anthropic/engines.ts';
import { createGoogleEngine } from '../../../src/models/adapters/google/engines.ts';
import { createOpenAiResponsesEngine } from '../../../src/models/adapters/openai/engines.ts';
import { createPerplexityEngine } from '../../../src/models/adapters/perplexity/engines.ts';
import { MAX_SEARCH_BODY_BYTES } from '../../../src/models/core/vendor-engine.ts';
import {
  type FailureReason,
  failureReasons,
  MAX_ANSWER_BYTES,
  MAX_CITATIONS,
  MAX_ENGINE_WAIT_S,
  MAX_SOURCE_SPANS,
  MAX_SOURCE_TITLE_CHARS,
} from '../../../src/models/port.ts';
import { type EngineReply, readSample } from '../../support/stack/engine-server.ts';
import { askVendor, KEY, PROMPT, type Vendor } from '../vendor-engines.ts';

type Source = { url: unknown; title?: unknown };
type HostileVendor = Vendor & { say: (text: string, sources?: readonly Source[]) => unknown };

const sample = (file: string) => JSON.parse(readSample(file));

/** Each vendor, and its recorded answer with other words, of which every source stands for the first five characters. */
const vendors: Readonly<Record<string, HostileVendor>> = {
  openai: {
    create: createOpenAiResponsesEngine,
    base: '/v1',
    say: (text, sources = []) => {
      const body = sample('openai/refusal.json');
      const annotations = sources.map((source) => ({
        type: 'url_citation',
        title: '',
        ...source,
        start_index: 0,
        end_index: 5,
      }));
      body.output[0].content = [{ type: 'output_text', text, annotations }];
      return body;
    },
  },
  anthropic: {
    create: createAnthropicEngine,
    base: '/v1',
    say: (text, sources = []) => {
      const body = sample('anthropic/pause-turn.json');
      const more = { type: 'web_search_result_location', cited_text: '', encrypted_index: '' };
      const citations = sources.map(({ url, title = null }) => ({ ...more, url, title }));
      body.content = [
        { type: 'text', text: text.slice(0, 5), citations },
        { type: 'text', text: text.slice(5) },
      ];
      return { ...body, stop_reason: 'end_turn' };
    },
  },
  google: {
    create: createGoogleEngine,
    base: '/v1beta',
    say: (text, sources = []) => {
      const body = sample('google/grounded.json');
      const [candidate] = body.candidates;
      candidate.content.parts = [{ text }];
      candidate.groundingMetadata = {
        groundingChunks: sources.map(({ url, title }) => ({ web: { uri: url, title } })),
        groundingSupports: sources.map((_, at) => ({
          segment: { startIndex: 0, endIndex: 5 },
          groundingChunkIndices: [at],
        })),
      };
      return body;
    },
  },
  perplexity: {
    create: createPerplexityEngine,
    base: '',
    say: (text, sources = []) => {
      const body = sample('perplexity/search-results.json');
      body.choices[0].message.content = text;
      delete body.citations;
      return { ...body, search_results: sources };
    },
  },
};

const names = Object.keys(vendors);
const vendorOf = (name: string): HostileVendor => {
  const vendor = vendors[name];
  if (vendor === undefined) throw new Error(name);
  return vendor;
};
const ask = async (name: string, reply: EngineReply, signal?: AbortSignal) =>
  (await askVendor(vendorOf(name), reply, { model: name === 'google' ? 'gemini-2.5-flash' : 'm' }, signal)).outcome;
const answer = async (name: string, text: string, sources?: readonly Source[]) =>
  ask(name, { body: JSON.stringify(vendorOf(name).say(text, sources)) });

const ROUNDS = 150;
const JUNK = [null, 0, -1, 1e308, '', ' ', '\ud800', [], {}, true, [null], { a: 1 }, [[]]];

/** A JSON text of which one member is gone, or of another kind. */
function spoil(text: string, draw: () => number): string {
  const count = [...text.matchAll(/"\w+":/gu)].length;
  const chosen = Math.floor(draw() * count);
  let at = 0;
  return JSON.stringify(
    JSON.parse(text, (key: string, value: unknown) => {
      if (key === '' || /^\d+$/u.test(key) || at++ !== chosen) return value;
      return draw() < 0.3 ? undefined : JUNK[Math.floor(draw() * JUNK.length)];
    }),
  );
}

describe.each(names)('%s', (name) => {
  test.each<[string, EngineReply, FailureReason, boolean]>([
    [
      'HTML in place of JSON',
      { body: '<!doctype html><h1>Hello</h1>', headers: { 'content-type': 'text/html' } },
      'invalid_response',
      false,
    ],
    ['nothing', { body: '' }, 'invalid_response', false],
    ['null', { body: 'null' }, 'invalid_response', false],
    ['a list', { body: '[]' }, 'invalid_response', false],
    ['brackets without end', { body: '['.repeat(300_000) }, 'invalid_response', false],
    ['an answer that is too long', { body: ' '.repeat(MAX_SEARCH_BODY_BYTES + 1) }, 'invalid_response', false],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:9/' }, body: '' }, 'invalid_response', false],
    ['HTML with status 429', { status: 429, body: '<h1>Slow down</h1>' }, 'rate_limited', true],
    ['HTML with status 502', { status: 502, body: '<h1>Bad gateway</h1>' }, 'unavailable', true],
    ['its key in an error', { status: 403, body: `{"error":{"message":"${KEY}","type":"x"}}` }, 'unauthorized', false],
    ['a connection that breaks off', { hostile: 'reset' }, 'unavailable', true],
    ['one that breaks off in the middle', { hostile: 'reset_midway' }, 'unavailable', true],
  ])('%s is a failure that says nothing of the other side', async (_what, reply, reason, retryable) => {
    const outcome = await ask(name, reply);
    expect(outcome).toMatchObject({ ok: false, reason, retryable });
    expect(JSON.stringify(outcome)).not.toMatch(new RegExp(`${KEY}|127\\.0\\.0\\.1|<h1>`, 'u'));
  });

  test('a body without end is read up to its limit, and then dropped', async () => {
    const { outcome, server } = await askVendor(vendorOf(name), { hostile: 'endless' });
    expect(outcome).toMatchObject({ ok: false, reason: 'invalid_response' });
    expect(server.written()).toBeLessThan(4 * MAX_SEARCH_BODY_BYTES);
  });

  test.each(['hang', 'drip'] as const)('an engine that is slow (%s) ends with the signal', async (hostile) => {
    const outcome = await ask(name, { hostile }, AbortSignal.timeout(200));
    expect(outcome).toMatchObject({ ok: false, reason: 'timeout', retryable: true });
  });

  test.each([
    ['12', 12],
    ['0', 0],
    ['999999', MAX_ENGINE_WAIT_S],
    ['soon', undefined],
    ['Sat, 28 Nov 2026 10:00:30 GMT', 30],
    ['Sat, 28 Nov 2026 09:00:00 GMT', 0],
  ])('a wait of %s is %s seconds', async (header, seconds) => {
    const headers = { 'retry-after': header, date: 'Sat, 28 Nov 2026 10:00:00 GMT' };
    const outcome = await ask(name, { status: 429, headers, body: '{}' });
    expect(outcome).toMatchObject({ ok: false, reason: 'rate_limited', retryable: true });
    expect(outcome.ok || outcome.retryAfterS).toBe(seconds);
  });

  test('a text without words is none', async () => {
    for (const text of ['', ' \n '])
      expect(await answer(name, text)).toMatchObject({ ok: false, reason: 'empty_answer' });
  });

  test('a text of 1 MB is cut, and stretches beyond are left out', async () => {
    const outcome = await answer(name, `Acme. ${'ä'.repeat(500_000)}`, [{ url: 'https://acme.example/' }]);
    if (!outcome.ok) throw new Error(outcome.detail);
    expect(outcome.finishReason).toBe('length');
    expect(new TextEncoder().encode(outcome.text).byteLength).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    for (const { spans = [] } of outcome.sources ?? [])
      for (const [, to] of spans) expect(to).toBeLessThanOrEqual(outcome.text.length);
  });

  test('sources are those that a reader could open', async () => {
    const odd = [
      'javascript:alert(1)',
      'acme.example',
      '',
      'http://',
      'https://127.0.0.1/',
      'http://[::1]/',
      'http://169.254.169.254/latest/meta-data',
      'https://10.0.0.7/x',
      'http://localhost:8080/',
      'https://user:word@acme.example/',
      `https://acme.example/${'x'.repeat(2048)}`,
    ].map((url) => ({ url, title: 'A page' }));
    const outcome = await answer(name, 'Acme leads.', [...odd, { url: 'https://acme.example/', title: 'A page' }]);
    expect(outcome.ok && outcome.citations).toEqual(['https://acme.example/']);
  });

  test('10,000 sources are 30, with titles of a line', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({
      url: `https://a.example/${at}`,
      title: at < 50 ? `A\n${'x'.repeat(300)}` : 'A',
    }));
    const outcome = await answer(name, `Acme [1].${' [1] x'.repeat(5_000)}`, many);
    if (!outcome.ok) throw new Error(outcome.detail);
    expect(outcome.citations).toEqual(many.slice(0, MAX_CITATIONS).map(({ url }) => url));
    for (const { title, spans = [] } of outcome.sources ?? []) {
      expect(title?.length).toBeLessThanOrEqual(MAX_SOURCE_TITLE_CHARS);
      expect(title).not.toContain('\n');
      expect(spans.length).toBeLessThanOrEqual(MAX_SOURCE_SPANS);
    }
  });

  test('members that are missing or of another kind are no bug of ours', async () => {
    const draw = createRandomFromSeed(`members of ${name}`);
    const said = JSON.stringify(
      vendorOf(name).say('Acme leads [1].', [{ url: 'https://acme.example/', title: 'Acme' }]),
    );
    let body = '';
    const engine = vendorOf(name).create({
      url: `https://vendor.example${vendorOf(name).base}`,
      model: name === 'google' ? 'gemini-2.5-flash' : 'm',
      key: KEY,
      fetch: async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
      maxOutputTokens: 1500,
      webSearch: true,
      country: undefined,
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      body = spoil(said, draw);
      const outcome = await engine.answer(PROMPT, AbortSignal.timeout(10_000));
      if (outcome.ok) expect(outcome.text.trim()).not.toBe('');
      else expect(failureReasons.filter((reason) => reason !== 'engine_fault')).toContain(outcome.reason);
    }
  });

  test('one source 10,000 times is one', async () => {
    const same = Array.from({ length: 10_000 }, () => ({ url: 'https://a.example/', title: 'A' }));
    const outcome = await answer(name, 'Acme [1].', same);
    expect(outcome.ok && outcome.citations).toEqual(['https://a.example/']);
  });
});
