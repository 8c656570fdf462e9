import { expect, test } from 'vitest';
import { type Env, readSettings } from '../../../routes/api/bindings/env.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';

/** The settings of a deployment that sets its address and `given`. */
const settingsOf = (given: Record<string, string> = {}): ApiWorkerSettings =>
  readSettings({ BASE_URL: 'https://sightline.test', ...given } as unknown as Env);

test('without a word about it a call takes 45 s at most, a run 120 s, and an answer 1,500 tokens', () => {
  expect(settingsOf()).toMatchObject({ ANSWER_TIMEOUT_S: 45, VISIBILITY_RUN_S: 120, ANSWER_ENGINE_MAX_TOKENS: 1500 });
});

test.each([
  ['not set', {}],
  ['empty', { ANSWER_ENGINE_USD_PER_RUN: '', UNPAID_ENGINE_USD_PER_HOUR: '' }],
])('P5: a meter that is %s counts 0.20 USD a run and lets 5 USD an hour be unpaid', (_what, given) => {
  expect(settingsOf(given)).toMatchObject({ ANSWER_ENGINE_USD_PER_RUN: 0.2, UNPAID_ENGINE_USD_PER_HOUR: 5 });
});

test.each<[string, string, number]>([
  ['ANSWER_ENGINE_MAX_TOKENS', '1200', 1200],
  ['ANSWER_ENGINE_MAX_TOKENS', '100000', 100_000],
  ['ANSWER_TIMEOUT_S', '1', 1],
  ['ANSWER_TIMEOUT_S', '120', 120],
  ['VISIBILITY_RUN_S', '1', 1],
  ['VISIBILITY_RUN_S', '120', 120],
  ['ANSWER_ENGINE_USD_PER_RUN', '0.01', 0.01],
  ['ANSWER_ENGINE_USD_PER_RUN', '100', 100],
  ['UNPAID_ENGINE_USD_PER_HOUR', '0', 0],
])('%s takes %s', (name, value, read) => {
  expect(settingsOf({ [name]: value })).toMatchObject({ [name]: read });
});

// A run longer than 120 s would outlive the terms of its payment; fewer than 1,200 tokens cut names off.
test.each([
  ['ANSWER_ENGINE_MAX_TOKENS', '1199'],
  ['ANSWER_ENGINE_MAX_TOKENS', '100001'],
  ['ANSWER_ENGINE_MAX_TOKENS', '1200.5'],
  ['ANSWER_ENGINE_MAX_TOKENS', ''],
  ['ANSWER_TIMEOUT_S', '0.9'],
  ['ANSWER_TIMEOUT_S', '121'],
  ['VISIBILITY_RUN_S', '0.9'],
  ['VISIBILITY_RUN_S', '121'],
  ['ANSWER_ENGINE_USD_PER_RUN', '0'],
  ['ANSWER_ENGINE_USD_PER_RUN', '101'],
  ['UNPAID_ENGINE_USD_PER_HOUR', '-1'],
])('%s refuses "%s", and says which setting it is but not its value', (name, value) => {
  expect(() => settingsOf({ [name]: value })).toThrow(new Error(`Settings that do not parse: ${name}`));
});
