import { expect, test } from 'vitest';
import { productionEmbedders } from '../../src/models/registry.ts';
import { localEmbedders } from '../../src/models/registry-local.ts';
import { selectEmbedder } from '../../src/models/settings.ts';

const offline = { fetch: (() => Promise.reject(new Error('nobody is to be asked'))) satisfies typeof fetch };
const variables = { EMBEDDING_ENGINE_URL: 'https://engine.example/v1', EMBEDDING_ENGINE_MODEL: 'm' };

test('an object makes its embedder of raw variables', () => {
  const env = { EMBEDDING_ENGINE: 'openai-compatible', ...variables, OTHER: 7 };
  expect(selectEmbedder(env, productionEmbedders, offline)).toMatchObject({ kind: 'openai-compatible', model: 'm' });
  expect(
    selectEmbedder(
      { EMBEDDING_ENGINE: 'workers-ai', EMBEDDING_ENGINE_MODEL: 'm', AI: {} },
      productionEmbedders,
      offline,
    ),
  ).toMatchObject({ kind: 'workers-ai' });
  expect(selectEmbedder({ EMBEDDING_ENGINE: 'simulated' }, localEmbedders, offline)).toMatchObject({
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
  expect(selectEmbedder(env, productionEmbedders, offline)).toBeUndefined();
});
