import { expect, test } from 'vitest';
import {
  selectEmbedder,
  type ChatEngineTools,
  selectEngine,
  productionChats,
  productionEmbedders,
} from '../../../src/models/chat/registry.ts';
import { localChats, localEmbedders } from '../../../src/models/chat/registry-local.ts';

const noFetch: typeof fetch = () => Promise.reject(new Error('nobody is to be asked'));
const tools = (ai?: object): ChatEngineTools => ({ fetch: noFetch, ai: ai as ChatEngineTools['ai'] });
const GOOD = { url: 'https://engine.example/v1', model: 'm', key: 'sk-key' };
const chat = (name: string | undefined, given: object = GOOD, engines = productionChats, ai?: object) =>
  selectEngine({ name, variable: 'ANSWER_ENGINE', settings: { maxOutputTokens: 100, ...given } }, engines, tools(ai));

test('a deployment has engines that are models, and the local stack one more that is none', () => {
  expect(Object.keys(productionChats.factories)).toEqual(['openai-compatible', 'workers-ai']);
  expect(Object.keys(productionEmbedders.factories)).toEqual(['openai-compatible', 'workers-ai']);
  expect(Object.keys(localChats.factories)).toEqual(['openai-compatible', 'workers-ai', 'simulated']);
  expect(Object.keys(localEmbedders.factories)).toEqual(['openai-compatible', 'workers-ai', 'simulated']);
});

test('an engine is made of its settings', () => {
  expect(chat('openai-compatible')).toMatchObject({ ok: true, engine: { kind: 'openai-compatible', model: 'm' } });
  expect(chat('workers-ai', { model: '@cf/m' }, productionChats, {})).toMatchObject({
    ok: true,
    engine: { kind: 'workers-ai', model: '@cf/m' },
  });
  expect(chat('simulated', {}, localChats)).toMatchObject({ ok: true, engine: { kind: 'simulated' } });
});

test.each<[string | undefined, object, string]>([
  [undefined, GOOD, 'ANSWER_ENGINE is none'],
  ['none', GOOD, 'ANSWER_ENGINE is none'],
  ['simulated', GOOD, 'ANSWER_ENGINE is none of: none, openai-compatible, workers-ai'],
  ['__proto__', GOOD, 'ANSWER_ENGINE is none of: none, openai-compatible, workers-ai'],
  ['constructor', GOOD, 'ANSWER_ENGINE is none of: none, openai-compatible, workers-ai'],
  ['openai-compatible', { model: 'm' }, 'ANSWER_ENGINE_URL is not set'],
  ['openai-compatible', { url: GOOD.url }, 'ANSWER_ENGINE_MODEL is not set'],
  ['openai-compatible', { ...GOOD, url: 'http://engine.example/v1' }, 'ANSWER_ENGINE_URL must be https and public'],
  ['openai-compatible', { ...GOOD, url: 'https://127.0.0.1/v1' }, 'ANSWER_ENGINE_URL must be https and public'],
  ['openai-compatible', { ...GOOD, url: 'https://[::ffff:10.0.0.1]/' }, 'ANSWER_ENGINE_URL must be https and public'],
  [
    'openai-compatible',
    { ...GOOD, url: 'https://u:p@engine.example/v1' },
    'ANSWER_ENGINE_URL is no http(s) URL, or holds a password',
  ],
  ['openai-compatible', { ...GOOD, key: 'sk\nkey' }, 'ANSWER_ENGINE_KEY holds characters that no header may carry'],
  ['workers-ai', { model: 'm' }, 'The binding AI is not declared in this deployment'],
])('F5: a deployment makes no engine of %j with %j', (name, given, detail) => {
  expect(chat(name, given)).toEqual({ ok: false, detail });
});

const variables = { EMBEDDING_ENGINE_URL: GOOD.url, EMBEDDING_ENGINE_MODEL: 'm' };

test('an object makes its embedder of raw variables', () => {
  const env = { EMBEDDING_ENGINE: 'openai-compatible', ...variables, OTHER: 7 };
  expect(selectEmbedder(env, productionEmbedders, noFetch)).toMatchObject({ kind: 'openai-compatible', model: 'm' });
  expect(
    selectEmbedder(
      { EMBEDDING_ENGINE: 'workers-ai', EMBEDDING_ENGINE_MODEL: 'm', AI: {} },
      productionEmbedders,
      noFetch,
    ),
  ).toMatchObject({ kind: 'workers-ai' });
  expect(selectEmbedder({ EMBEDDING_ENGINE: 'simulated' }, localEmbedders, noFetch)).toMatchObject({
    kind: 'simulated',
  });
});

test.each<[Record<string, string>]>([
  [{}],
  [{ EMBEDDING_ENGINE: '', EMBEDDING_ENGINE_URL: '' }],
  [{ ...variables, EMBEDDING_ENGINE: 'none' }],
  [{ ...variables, EMBEDDING_ENGINE: 'simulated' }],
  [{ ...variables, EMBEDDING_ENGINE: 'openai-compatible', EMBEDDING_ENGINE_URL: 'https://localhost/v1' }],
  [{ EMBEDDING_ENGINE: 'workers-ai', EMBEDDING_ENGINE_MODEL: 'm' }],
])('F5: with %j a deployment has none', (env) => {
  expect(selectEmbedder(env, productionEmbedders, noFetch)).toBeUndefined();
});
