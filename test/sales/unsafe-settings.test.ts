import { describe, expect, test } from 'vitest';
import { apiWorkerSettingsSchema } from '../../src/sales/settings.ts';
import { findUnsafeApiSettings } from '../../src/sales/unsafe-settings.ts';

const NOW = Date.parse('2026-11-27T00:00:00Z');

/** A deployment with nothing to complain of. */
const good: Readonly<Record<string, string>> = {
  BASE_URL: 'https://sightline.example',
  CONTROL_URL: 'https://control.example',
  WEBHOOK_URL: 'https://webhook.example',
  PAY_TO: '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c',
  RPC_URL: 'https://rpc.example/key',
  FACILITATOR_URL: 'https://facilitator.example',
  LEDGER_SECRET: 'x'.repeat(32),
  PAYMENTS_SINCE: '1700000000',
  CONTACT_EMAIL: 'hello@sightline.example',
};

const PANEL_ROW = { name: 'a', kind: 'openai', model: 'm', key_secret: 'ANSWER_KEY_A', usd_per_run: 0.5 };

/** What is found where some variables differ; '' unsets one. */
const found = (changes: Readonly<Record<string, string>> = {}) => {
  const env: Readonly<Record<string, string>> = { ...good, ...changes };
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  return findUnsafeApiSettings({ settings: apiWorkerSettingsSchema.parse(env), isSet, nowMs: NOW }).map(
    ({ setting, severity }) => `${severity} ${setting}`,
  );
};

describe('settings of the api Worker', () => {
  test('a deployment in order has none', () => expect(found()).toEqual([]));

  test.each([
    [{ BASE_URL: 'http://sightline.example' }, ['fail BASE_URL']],
    [
      { WEBHOOK_URL: 'http://webhook.example', CONTROL_URL: 'http://control.example' },
      ['fail WEBHOOK_URL', 'fail CONTROL_URL'],
    ],
    [{ RPC_URL: 'http://127.0.0.1:8545' }, ['fail RPC_URL']],
    [{ STRIPE_SECRET_KEY: 'sk_test_12345678', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, ['fail STRIPE_SECRET_KEY']],
    [{ STRIPE_SECRET_KEY: 'sk_live_12345678' }, ['fail STRIPE_WEBHOOK_SECRET']],
    [{ FACILITATOR_URL: 'https://localhost:4021' }, ['fail FACILITATOR_URL']],
    [{ PAY_TO: '' }, ['warn PAY_TO']],
    [{ SALES: 'closed' }, ['warn SALES']],
    [{ SALES: 'open' }, []],
    [{ PAY_TO: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }, ['fail PAY_TO']],
    [{ PAY_TO: `0x${'0'.repeat(40)}` }, ['fail PAY_TO']],
    [{ RPC_URL: '', LEDGER_SECRET: '' }, ['fail RPC_URL', 'fail LEDGER_SECRET']],
    [{ PAYMENTS_SINCE: '' }, ['fail PAYMENTS_SINCE']],
    [{ PAYMENTS_SINCE: '1900000000' }, ['fail PAYMENTS_SINCE']],
    [{ TRANSFER_CONFIRMATIONS: '1' }, ['warn TRANSFER_CONFIRMATIONS']],
    [{ MCP_ALLOWED_ORIGINS: 'https://app.example, *' }, ['fail MCP_ALLOWED_ORIGINS']],
    [{ MCP_ALLOWED_ORIGINS: 'http://app.example' }, ['warn MCP_ALLOWED_ORIGINS']],
    [{ MCP_ALLOWED_ORIGINS: 'https://app.example' }, []],
    [{ ANSWER_ENGINE: 'openai' }, ['warn ANSWER_ENGINE_USD_PER_RUN', 'warn UNPAID_ENGINE_USD_PER_HOUR']],
    [{ ANSWER_ENGINE: 'openai', ANSWER_ENGINE_USD_PER_RUN: '0.5', UNPAID_ENGINE_USD_PER_HOUR: '2' }, []],
    [{ ANSWER_ENGINE: 'none' }, []],
    [{ ANSWER_ENGINES: JSON.stringify([PANEL_ROW]), ANSWER_KEY_A: 'k' }, ['warn UNPAID_ENGINE_USD_PER_HOUR']],
    [
      { ANSWER_ENGINES: JSON.stringify([PANEL_ROW]), UNPAID_ENGINE_USD_PER_HOUR: '2' },
      ['fail ANSWER_ENGINES'], // Its secret is not set.
    ],
    [{ ANSWER_ENGINES: '[nope', UNPAID_ENGINE_USD_PER_HOUR: '2' }, ['fail ANSWER_ENGINES']],
    [
      {
        ANSWER_ENGINES: JSON.stringify([{ name: 'a', kind: 'simulated', usd_per_run: 1 }]),
        UNPAID_ENGINE_USD_PER_HOUR: '2',
      },
      ['fail ANSWER_ENGINES'],
    ],
    [{ CONTACT_EMAIL: '' }, ['warn CONTACT_EMAIL']],
    [{ TELEMETRY: 'control' }, []],
    [{ TELEMETRY: 'control', CONTROL_URL: '' }, ['warn TELEMETRY']],
  ])('%j', (changes, expected) => expect(found(changes)).toEqual(expected));

  test('a local stack is left alone', () => {
    expect(found({ BASE_URL: 'http://127.0.0.1:8787', RPC_URL: 'http://127.0.0.1:8545', PAY_TO: '' })).toEqual([]);
    expect(found({ BASE_URL: 'http://localhost:8787', PAY_TO: '' })).toEqual([]);
  });

  test('no value of a setting is in a finding', () => {
    const env = { ...good, RPC_URL: 'http://user-key.example/secret-path', LEDGER_SECRET: '' };
    const settings = apiWorkerSettingsSchema.parse(env);
    const text = JSON.stringify(findUnsafeApiSettings({ settings, isSet: () => true, nowMs: NOW }));
    expect(text).not.toContain('secret-path');
    expect(text).not.toContain('user-key');
  });
});
