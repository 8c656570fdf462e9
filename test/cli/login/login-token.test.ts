import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getBrowserCommand, renewToken } from '../../../src/cli/login/command.ts';
import { createLoginNet } from '../../../src/cli/login/net.ts';
import { logIn } from '../../../src/cli/login/login.ts';
import { getTokenFile, type TokenStore } from '../../../src/cli/login/token-store.ts';
import { ENDPOINT, type FakeService, type Scene, startFakeService } from '../../support/workers/fake-authorization.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-token-'));
let file = '';
let count = 0;
beforeEach(() => {
  count += 1;
  file = join(folder, String(count), 'sightline', 'tokens.json');
});
const started: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

const NOW_MS = 1_000_000;
const HOUR_MS = 3_600_000;

async function loggedInAt(scene: Scene = {}): Promise<FakeService> {
  const at = await startFakeService(scene);
  started.push(at);
  const outcome = await logIn(
    { origin: at.origin, client: {} },
    {
      net: createLoginNet(true),
      file,
      show: (url) => void at.browse(url),
      random: () => 'state',
      nowMs: () => NOW_MS,
      waitMs: 20_000,
    },
  );
  expect(outcome.ok).toBe(true);
  return at;
}

const fresh = (at: FakeService, nowMs: number) =>
  renewToken(`${at.origin}${ENDPOINT}`, { net: createLoginNet(true), file, nowMs: () => nowMs });
const store = (): TokenStore => JSON.parse(readFileSync(file, 'utf8')) as TokenStore;
const refreshes = (at: FakeService): readonly string[] =>
  at.of('/token').flatMap(({ form }) => form.get('refresh_token') ?? []);

test('a token with 60 s left is handed out without a request; one with less is renewed', async () => {
  const at = await loggedInAt();
  const before = at.seen.length;
  const kept = store().tokens[0]?.access_token;
  expect(await fresh(at, NOW_MS + HOUR_MS - 60_000)).toEqual({ ok: true, accessToken: kept });
  expect(at.seen).toHaveLength(before);
  const renewed = await fresh(at, NOW_MS + HOUR_MS - 59_999);
  expect(renewed).toEqual({ ok: true, accessToken: store().tokens[0]?.access_token });
  expect(renewed).not.toEqual({ ok: true, accessToken: kept });
  expect(refreshes(at)).toHaveLength(1);
});

test('C9: a refresh names the resource and keeps the scope', async () => {
  const at = await loggedInAt({ token: { scope: undefined } });
  await fresh(at, NOW_MS + HOUR_MS);
  expect(at.of('/token')[1]?.form.get('resource')).toBe(`${at.origin}${ENDPOINT}`);
  expect(store().tokens[0]?.scope).toBe('audit:run');
});

test('C17: of eight runs at once one renews, and all hand out what it got', async () => {
  const at = await loggedInAt();
  const given = await Promise.all(Array.from({ length: 8 }, () => fresh(at, NOW_MS + HOUR_MS)));
  expect(refreshes(at)).toHaveLength(1);
  expect(new Set(given.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ ok: true, accessToken: store().tokens[0]?.access_token })]),
  );
});

test('C16, M4: when the service names another server, neither token goes there', async () => {
  const other = await startFakeService();
  started.push(other);
  let named: string | undefined;
  const at = await loggedInAt({
    documents: (origin) => ({
      [`/.well-known/oauth-protected-resource${ENDPOINT}`]: {
        resource: `${origin}${ENDPOINT}`,
        authorization_servers: [named ?? origin],
      },
    }),
  });
  named = other.origin;
  expect(await fresh(at, NOW_MS + HOUR_MS)).toMatchObject({ ok: false, reason: 'authorization_server_changed' });
  expect(other.of('/token')).toEqual([]);
  expect(refreshes(at)).toEqual([]);
});

test('C17: a server that gave no refresh token means logging in again', async () => {
  const at = await loggedInAt({ token: { refresh_token: undefined } });
  expect(await fresh(at, NOW_MS + HOUR_MS)).toMatchObject({ ok: false, reason: 'no_refresh_token' });
});

test('a refresh token that was revoked is refused, and the kept one stays', async () => {
  const at = await loggedInAt();
  const altered = store();
  const tokens = altered.tokens.map((token) => ({ ...token, refresh_token: 'revoked-marker' }));
  writeFileSync(file, JSON.stringify({ ...altered, tokens }), { mode: 0o600 });
  const outcome = await fresh(at, NOW_MS + HOUR_MS);
  expect(outcome).toMatchObject({ ok: false, reason: 'token_request_refused' });
  expect(JSON.stringify(outcome)).not.toContain('revoked-marker');
  expect(store().tokens[0]?.refresh_token).toBe('revoked-marker');
});

test('without a login there is no token, and no request', async () => {
  const at = await startFakeService();
  started.push(at);
  expect(await fresh(at, NOW_MS)).toMatchObject({ ok: false, reason: 'not_logged_in' });
  expect(at.seen).toEqual([]);
});

describe('a token file that cannot be trusted', () => {
  test.each<[string, string, number]>([
    ['is readable by others', '{"version":1,"clients":{},"tokens":[]}', 0o644],
    ['is not JSON', 'secret-marker', 0o600],
    ['has another shape', '{"version":2,"token":"secret-marker"}', 0o600],
  ])('that %s gives no token, and its text is not shown', async (_what, text, mode) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
    const outcome = await renewToken('https://service.example/mcp-account', {
      net: createLoginNet(false, () => Promise.reject(new Error('no request is made'))),
      file,
      nowMs: () => NOW_MS,
    });
    expect(outcome).toMatchObject({ ok: false, reason: 'token_file_unusable' });
    expect(JSON.stringify(outcome)).not.toContain('secret-marker');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

test('the token file is below XDG_CONFIG_HOME, else below ~/.config', () => {
  expect(getTokenFile({ XDG_CONFIG_HOME: '/elsewhere' })).toBe('/elsewhere/sightline/tokens.json');
  expect(getTokenFile({ XDG_CONFIG_HOME: '' })).toMatch(/\/\.config\/sightline\/tokens\.json$/);
});

test.each([
  ['linux', 'xdg-open', []],
  ['darwin', 'open', []],
  ['win32', 'rundll32', ['url.dll,FileProtocolHandler']],
] as const)('C18: on %s the URL is one argument of %s, read by no shell', (platform, program, before) => {
  const url = new URL('https://as.example/authorize?a=1&b=$(touch x)"`;calc`');
  expect(getBrowserCommand(url, platform)).toEqual({ program, args: [...before, url.href] });
});
