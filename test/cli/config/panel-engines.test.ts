import { describe, expect, test } from 'vitest';
import { createConfigEngines, findEngineAccess } from '../../../src/cli/config/panel-engines.ts';
import { configSchema } from '../../../src/cli/config/schema.ts';
import { isFailure } from '../../../src/cli/core/failure.ts';

const sent: Headers[] = [];
const asked: string[] = [];
const create = (engines: readonly object[], env: Record<string, string> = {}) =>
  createConfigEngines(
    { config: configSchema.parse({ engines }), file: 'sightline.config.json', folder: '/project' },
    {
      env,
      fetch: async (input, init) => {
        asked.push(new URL(new Request(input).url).hostname);
        sent.push(new Headers(init?.headers));
        return new Response('', { status: 500 });
      },
    },
  );
const prompt = { index: 0, id: 'price-1', intent: 'price', text: 'Best tea?' };

describe('the engines of a configuration', () => {
  test('are all made, in their order, named as their kind unless they have a name', () => {
    const engines = create(
      [
        { kind: 'openai', model: 'm', country: 'DE', usd_per_run: 0.5 },
        { name: 'own', kind: 'openai-compatible', url: 'http://127.0.0.1:11434/v1', model: 'llama' },
        { kind: 'simulated' },
      ],
      { ANSWER_KEY_OPENAI: 'sk-mine' },
    );
    expect(engines).toMatchObject([
      { name: 'openai', webSearch: true, country: 'DE', usdPerRun: 0.5 },
      { name: 'own', webSearch: false, usdPerRun: 0 },
      { name: 'simulated' },
    ]);
    expect(create([])).toEqual([]);
  });

  test('send a key to no address that the file names', async () => {
    sent.length = 0;
    const engines = create([{ kind: 'openai-compatible', url: 'https://stranger.example/v1', model: 'm' }], {
      ANSWER_ENGINE_KEY: 'sk-mine',
      ANSWER_KEY_OPENAI: 'sk-mine',
    });
    if (isFailure(engines)) throw new Error(engines.message);
    await engines[0]?.answer(prompt, AbortSignal.timeout(5000));
    expect(sent.map((headers) => headers.get('authorization'))).toEqual([null]);
  });

  test('send the key of a vendor to the address of the environment, whatever the file names', async () => {
    const row = { kind: 'perplexity', model: 'm', url: 'https://stranger.example/' };
    const env = { ANSWER_KEY_PERPLEXITY: 'sk-mine', ANSWER_URL_PERPLEXITY: 'https://gateway.example/p' };
    asked.length = 0;
    const engines = create([row, { ...row, name: 'again' }], env);
    if (isFailure(engines)) throw new Error(engines.message);
    for (const engine of engines) await engine.answer(prompt, AbortSignal.timeout(5000));
    expect(new Set(asked)).toEqual(new Set(['gateway.example']));
    expect(findEngineAccess({ kind: 'perplexity', url: row.url }, { ANSWER_KEY_PERPLEXITY: 'sk-mine' })).toEqual({
      url: row.url,
      isTyped: false,
    });
  });

  test('an address of the environment that is none is refused by its name', () => {
    const env = { ANSWER_KEY_OPENAI: 'sk-mine', ANSWER_URL_OPENAI: 'gateway' };
    expect(create([{ kind: 'openai', model: 'm' }], env)).toMatchObject({
      message: 'ANSWER_URL_OPENAI is no http(s) address.',
    });
  });

  test.each<[string, readonly object[], RegExp]>([
    [
      'the key is not set',
      [{ kind: 'openai', model: 'm' }],
      /engines\.0, key_secret: the secret ANSWER_KEY_OPENAI is not set/,
    ],
    [
      'a vendor at an address of the file',
      [{ kind: 'openai', model: 'm', url: 'https://stranger.example/' }],
      /engines\.0, key_secret/,
    ],
    [
      'no model',
      [{ kind: 'simulated' }, { kind: 'openai-compatible', url: 'http://127.0.0.1/v1' }],
      /engines\.1, model is not set/,
    ],
    [
      'a country that is not taken',
      [{ kind: 'google', model: 'm', country: 'DE' }],
      /engines\.0, country: this kind takes none/,
    ],
    [
      'two of one name',
      [{ kind: 'simulated' }, { kind: 'simulated' }],
      /engines\.1: give each engine a name of its own/,
    ],
  ])('%s is refused by its place', (_what, engines, message) => {
    const env = message.source.includes('ANSWER_KEY') ? {} : { ANSWER_KEY_GOOGLE: 'k', ANSWER_KEY_OPENAI: 'k' };
    expect(create(engines, env)).toMatchObject({ message: expect.stringMatching(message) });
  });
});
