import { describe, expect, test } from 'vitest';
import { computePanelUsd, type PanelSettings, type PanelTools, selectEngines } from '../../src/models/panel.ts';
import type { AnswerEngine } from '../../src/models/port.ts';
import { type Engines, productionAnswers } from '../../src/models/registry.ts';
import { findPanelFaults } from '../../src/models/panel-faults.ts';
import { localAnswers } from '../../src/models/registry-local.ts';

const secrets: Readonly<Record<string, string>> = { ANSWER_KEY_A: 'sk-of-the-operator', ANSWER_KEY_B: 'sk\nkey' };
const tools: PanelTools = {
  fetch: () => Promise.reject(new Error('no request was expected')),
  ai: {} as PanelTools['ai'],
  readSecret: (name) => secrets[name],
};
const limits = { ANSWER_ENGINE_MAX_TOKENS: 1500, ANSWER_ENGINE_USD_PER_RUN: 0.2 };
const ROW = {
  name: 'mine',
  kind: 'openai-compatible',
  model: 'm',
  url: 'https://engine.example/v1',
  key_secret: 'ANSWER_KEY_A',
  usd_per_run: 0.5,
};
const select = (
  rows: unknown,
  more: Partial<PanelSettings> = {},
  registry: Engines<AnswerEngine> = productionAnswers,
) =>
  selectEngines(
    { ...limits, ANSWER_ENGINES: typeof rows === 'string' ? rows : JSON.stringify(rows), ...more },
    registry,
    tools,
  );
const PROMPT = { index: 0, id: 'price-1', intent: 'price', text: 'Best tea?' };

describe('a panel', () => {
  test('has an engine for each row, in their order', () => {
    const platform = { name: 'platform', kind: 'workers-ai', model: '@cf/m', usd_per_run: 0.05 };
    expect(select([ROW, platform])).toMatchObject({
      ok: true,
      engines: [
        { name: 'mine', kind: 'openai-compatible', model: 'm', usdPerRun: 0.5, webSearch: false },
        { name: 'platform', kind: 'workers-ai', model: '@cf/m', usdPerRun: 0.05, webSearch: false },
      ],
    });
  });

  test('wins over the variables of one engine, which then are for chats alone', () => {
    expect(select([ROW], { ANSWER_ENGINE: 'workers-ai', ANSWER_ENGINE_MODEL: 'x' })).toMatchObject({
      engines: [{ name: 'mine' }],
    });
  });

  test('without rows is the one engine of the other variables, named as its kind', () => {
    const settings = { ...limits, ANSWER_ENGINE: 'openai-compatible', ANSWER_ENGINE_URL: ROW.url };
    const choice = selectEngines({ ...settings, ANSWER_ENGINE_MODEL: 'm' }, productionAnswers, tools);
    expect(choice).toMatchObject({
      ok: true,
      engines: [{ name: 'openai-compatible', model: 'm', usdPerRun: 0.2, webSearch: false }],
    });
    expect(selectEngines(settings, productionAnswers, tools)).toEqual({
      ok: false,
      detail: 'ANSWER_ENGINE_MODEL is not set',
    });
    expect(selectEngines(limits, productionAnswers, tools)).toEqual({ ok: false, detail: 'ANSWER_ENGINE is none' });
  });

  test('costs what its engines cost together', () => {
    const choice = select([ROW, { ...ROW, name: 'other', usd_per_run: 0.25 }]);
    expect(choice.ok && computePanelUsd(choice.engines)).toBe(0.75);
    expect(computePanelUsd([])).toBe(0);
  });

  test('of simulated engines hears another answer of each, and the same one again', async () => {
    const rows = ['one', 'two'].map((name) => ({ name, kind: 'simulated', usd_per_run: 0.1, country: 'DE' }));
    const texts = async () => {
      const choice = select(rows, {}, localAnswers);
      if (!choice.ok) throw new Error(choice.detail);
      expect(choice.engines.map(({ country }) => country)).toEqual(['DE', 'DE']);
      const answers = await Promise.all(choice.engines.map((one) => one.answer(PROMPT, AbortSignal.timeout(5000))));
      return answers.map((answer) => answer.ok && answer.text);
    };
    const [first, second] = await texts();
    expect(first).not.toBe(second);
    expect(await texts()).toEqual([first, second]);
  });
});

const KINDS = Object.keys(productionAnswers.factories).join(', ');

test.each<[string, unknown, string]>([
  [
    'a kind that no deployment has',
    [{ ...ROW, kind: 'simulated', url: undefined, key_secret: undefined }],
    `row 1, kind is none of: none, ${KINDS}`,
  ],
  [
    'the same in a later row',
    [ROW, { name: 'b', kind: 'recorded', usd_per_run: 1 }],
    `row 2, kind is none of: none, ${KINDS}`,
  ],
  [
    'a kind of the prototype',
    [{ name: 'b', kind: 'constructor', usd_per_run: 1 }],
    `row 1, kind is none of: none, ${KINDS}`,
  ],
  ['an address of this machine', [{ ...ROW, url: 'https://127.0.0.1/v1' }], 'row 1, url must be https and public'],
  [
    'an http address',
    [ROW, { ...ROW, name: 'b', url: 'http://engine.example/' }],
    'row 2, url must be https and public',
  ],
  [
    'a password in the address',
    [{ ...ROW, url: 'https://u:p@engine.example/' }],
    'row 1, url is no http(s) URL, or holds a password',
  ],
  ['no model', [{ ...ROW, model: undefined }], 'row 1, model is not set'],
  [
    'a secret that is not set',
    [{ ...ROW, key_secret: 'ANSWER_KEY_C' }],
    'row 1, key_secret: the secret ANSWER_KEY_C is not set',
  ],
  [
    'a key that no header carries',
    [{ ...ROW, key_secret: 'ANSWER_KEY_B' }],
    'row 1, key_secret holds characters that no header may carry',
  ],
  ['text that is no JSON', '[nope', 'it is no JSON list'],
])('F5: a deployment makes no panel of %s, and says the row and the field', (_what, rows, detail) => {
  expect(select(rows)).toEqual({ ok: false, detail: `ANSWER_ENGINES: ${detail}` });
});

const VENDOR = { ...ROW, kind: 'anthropic', url: undefined };

test.each<[string, unknown]>([
  ['a password in the address', { ...ROW, url: 'https://u:p@engine.example/v1' }],
  ['http', { ...ROW, url: 'http://engine.example/v1' }],
  ['this machine', { ...VENDOR, url: 'https://localhost/v1' }],
  ['a private network', { ...ROW, url: 'https://10.0.0.7/v1' }],
  ['a private network, in disguise', { ...ROW, url: 'https://[::ffff:10.0.0.7]/v1' }],
  ['a query of a vendor', { ...VENDOR, url: 'https://engine.example/v1?api-version=1' }],
  ['a query of any other', { ...ROW, url: 'https://engine.example/v1?api-version=1' }],
  ['an address of a vendor', { ...VENDOR, url: 'https://engine.example/v1' }],
  ['the usual address', VENDOR],
])('what deploys a row and what asks its engine say the same of its address: %s', (_what, row) => {
  const choice = select([row]);
  const said = choice.ok ? [] : [choice.detail.replace('ANSWER_ENGINES: ', '')];
  expect(findPanelFaults(JSON.stringify([row]), () => true)).toEqual(said);
});
