import { describe, expect, test } from 'vitest';
import { chooseCredentials } from '../../../src/cli/mcp/credentials.ts';

const BASE = 'https://sightline.example';
const KEY = `0x${'ab'.repeat(32)}`;

describe('who pays for sightline mcp', () => {
  test.each([
    ['nobody, without credentials', {}, undefined, { by: 'none', origin: undefined }],
    ['nobody, with a service alone', {}, BASE, { by: 'none', origin: BASE }],
    ['nobody, with empty variables', { SIGHTLINE_TOKEN: '', SIGHTLINE_WALLET_KEY: '' }, undefined, { by: 'none' }],
    ['the token', { SIGHTLINE_TOKEN: 'slm_abc' }, BASE, { by: 'token', origin: BASE, token: 'slm_abc' }],
    ['the token before the wallet', { SIGHTLINE_TOKEN: 'slm_abc', SIGHTLINE_WALLET_KEY: KEY }, BASE, { by: 'token' }],
    [
      'the token, for a service of this machine, which no other machine can overhear',
      { SIGHTLINE_TOKEN: 'slm_abc' },
      'http://127.0.0.1:8787',
      { by: 'token', origin: 'http://127.0.0.1:8787' },
    ],
    ['the wallet', { SIGHTLINE_WALLET_KEY: KEY }, BASE, { by: 'wallet', origin: BASE }],
    [
      'the wallet, for the service of the environment',
      { SIGHTLINE_WALLET_KEY: KEY, SIGHTLINE_BASE_URL: BASE },
      undefined,
      { by: 'wallet', origin: BASE },
    ],
    ['the option goes before the environment', { SIGHTLINE_BASE_URL: 'https://other.example' }, BASE, { origin: BASE }],
  ])('%s', (_what, environment, base, expected) => {
    expect(chooseCredentials(environment, base)).toMatchObject({ ok: true, ...expected });
  });

  test.each([
    ['a token for no service', { SIGHTLINE_TOKEN: 'slm_secret' }, undefined, /SIGHTLINE_TOKEN is for one service/],
    ['a wallet for no service', { SIGHTLINE_WALLET_KEY: KEY }, undefined, /SIGHTLINE_WALLET_KEY is for one service/],
    ['a token with a line break', { SIGHTLINE_TOKEN: 'slm_secret\r\nx: y' }, BASE, /is not a token/],
    [
      'plain http to a name that begins like this machine',
      { SIGHTLINE_TOKEN: 'slm_secret' },
      'http://localhost.example',
      /not_https/,
    ],
    ['plain http to the next machine', { SIGHTLINE_TOKEN: 'slm_secret' }, 'http://192.168.0.2', /not_https/],
    ['plain http', { SIGHTLINE_TOKEN: 'slm_secret' }, 'http://sightline.example', /not_https/],
    ['a service that is more than an origin', {}, `${BASE}/mcp`, /invalid_base_url/],
  ])('%s is wrong usage, and the secret is not repeated', (_what, environment, base, detail) => {
    const chosen = chooseCredentials(environment, base);
    expect(chosen).toMatchObject({ ok: false, detail: expect.stringMatching(detail) });
    expect(JSON.stringify(chosen)).not.toMatch(/slm_secret|abab/);
  });
});

describe('A9: the limits of the wallet', () => {
  const capsOf = (environment: Record<string, string>) =>
    chooseCredentials({ SIGHTLINE_WALLET_KEY: KEY, ...environment }, BASE);

  test('are 1 USD for a call and 5 for a day, unless the environment says otherwise', () => {
    expect(capsOf({})).toMatchObject({ caps: { perCall: 1, perDay: 5 } });
    expect(capsOf({ SIGHTLINE_MAX_USD_PER_CALL: '0.06', SIGHTLINE_MAX_USD_PER_DAY: '20' })).toMatchObject({
      caps: { perCall: 0.06, perDay: 20 },
    });
  });

  test.each(['0', '-1', 'all', '1e9', 'Infinity', '0x10', '1,5', '.', '1.0000001'])(
    'a limit of "%s" is none: nothing starts',
    (text) => {
      expect(capsOf({ SIGHTLINE_MAX_USD_PER_CALL: text })).toMatchObject({ ok: false });
      expect(capsOf({ SIGHTLINE_MAX_USD_PER_DAY: text })).toMatchObject({ ok: false });
    },
  );
});
