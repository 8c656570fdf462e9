import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type ChatEngine,
  engineKinds,
  type EngineKind,
  howToConfigure,
  isDemonstration,
} from '../../src/models/port.ts';
import {
  type Engines,
  type EngineTools,
  productionAnswers,
  productionChats,
  productionEmbedders,
  selectEngine,
} from '../../src/models/registry.ts';
import { localAnswers, localChats, localEmbedders } from '../../src/models/registry-local.ts';

const noFetch: typeof fetch = () => Promise.reject(new Error('nobody is to be asked'));
const tools = (ai?: object): EngineTools => ({ fetch: noFetch, ai: ai as EngineTools['ai'] });
const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

describe('the registry of engines', () => {
  test.each([
    ['answers', productionAnswers, localAnswers],
    ['chats', productionChats, localChats],
    ['embeddings', productionEmbedders, localEmbedders],
  ])('of %s has those that are models, and in the local file alone those that are none', (_use, production, local) => {
    const isModel = (kind: string): boolean => !isDemonstration({ kind: kind as EngineKind });
    const [deployed, all] = [Object.keys(production.factories), Object.keys(local.factories)];
    expect(deployed).toContain('openai-compatible');
    expect(all).toContain('simulated');
    expect(all.filter(isModel)).toEqual(deployed);
    expect([production.isLocal, local.isLocal]).toEqual([false, true]);
  });

  test('of a deployment names no engine that is no model', () => {
    expect(read('src/models/registry.ts')).not.toMatch(/simulated|recorded/);
  });

  test.each(engineKinds)('%s has an adapter and a test', (kind) => {
    const sources = globSync(`src/models/adapters/${kind}{,/*}.ts`, { cwd: root }).map(read);
    expect(sources.join('\n')).toMatch(new RegExp(`\\bkind(?:: | = )'${kind}'`));
    const tests = globSync(`test/models/adapters/${kind}{,/*}.test.ts`, { cwd: root }).map(read).join('\n');
    expect(tests).toMatch(new RegExp(`/src/models/adapters/${kind}[./]`));
    expect(tests).toMatch(/^ *test(?:\.each)?\(/m);
  });

  test('says how to configure one, naming every variable', () => {
    for (const name of ['ANSWER_ENGINE', 'ANSWER_ENGINE_URL', 'ANSWER_ENGINE_MODEL', 'ANSWER_ENGINE_KEY'])
      expect(howToConfigure.join('\n')).toContain(name);
  });
});

const GOOD = { url: 'https://engine.example/v1', model: 'm', key: 'sk-key' };
const PREFIX = { prefix: 'ANSWER_ENGINE', maxOutputTokens: 100 } as const;
const answer = (kind: string | undefined, given: object, ai?: object) =>
  selectEngine(kind, { ...PREFIX, ...given }, productionAnswers, tools(ai));
const chat = (
  kind: string | undefined,
  given: object = GOOD,
  engines: Engines<ChatEngine> = productionChats,
  ai?: object,
) => selectEngine(kind, { ...PREFIX, ...given }, engines, tools(ai));
const embedder = (kind: string | undefined, given: object, ai?: object) =>
  selectEngine(kind, { prefix: 'EMBEDDING_ENGINE', ...given }, productionEmbedders, tools(ai));

test('an engine is made of its settings', () => {
  for (const make of [answer, embedder, chat])
    expect(make('openai-compatible', GOOD)).toMatchObject({
      ok: true,
      engine: { kind: 'openai-compatible', model: 'm' },
    });
  for (const made of [
    answer('workers-ai', { model: '@cf/m' }, {}),
    embedder('workers-ai', { model: '@cf/m' }, {}),
    chat('workers-ai', { model: '@cf/m' }, productionChats, {}),
  ])
    expect(made).toMatchObject({ ok: true, engine: { kind: 'workers-ai', model: '@cf/m' } });
  expect(chat('simulated', {}, localChats)).toMatchObject({ ok: true, engine: { kind: 'simulated' } });
});

test('the local stack takes an engine on this machine, over http', () => {
  expect(chat('openai-compatible', { ...GOOD, url: 'http://127.0.0.1:8080/v1' }, localChats).ok).toBe(true);
});

test.each<[string | undefined, object, string]>([
  [undefined, GOOD, 'ANSWER_ENGINE is none'],
  ['none', GOOD, 'ANSWER_ENGINE is none'],
  ['simulated', GOOD, 'ANSWER_ENGINE is none of: none, KINDS'],
  ['recorded', GOOD, 'ANSWER_ENGINE is none of: none, KINDS'],
  ['__proto__', GOOD, 'ANSWER_ENGINE is none of: none, KINDS'],
  ['constructor', GOOD, 'ANSWER_ENGINE is none of: none, KINDS'],
  ['openai-compatible', {}, 'ANSWER_ENGINE_URL is not set'],
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
])('F5: a deployment makes no engine of %j with %j, and says what is missing', (kind, given, detail) => {
  const detailOf = ({ factories }: { factories: object }): string =>
    detail.replace('KINDS', Object.keys(factories).join(', '));
  expect(answer(kind, given)).toEqual({ ok: false, detail: detailOf(productionAnswers) });
  expect(chat(kind, given)).toEqual({ ok: false, detail: detailOf(productionChats) });
  expect(embedder(kind, given)).toEqual({
    ok: false,
    detail: detailOf(productionEmbedders).replace('ANSWER_', 'EMBEDDING_'),
  });
});

test('a model of the platform is named', () => {
  expect(answer('workers-ai', {}, {})).toEqual({ ok: false, detail: 'ANSWER_ENGINE_MODEL is not set' });
  expect(embedder('workers-ai', {}, {})).toEqual({ ok: false, detail: 'EMBEDDING_ENGINE_MODEL is not set' });
});
