import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeService, type Scene, startFakeService } from '../../support/workers/fake-authorization.ts';
import { sightlineIn } from '../../support/stack/login-cli.ts';

let folder = '';
const services: FakeService[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-login-'));
});
afterEach(async () => {
  for (const one of services.splice(0)) await one.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function service(scene: Scene = {}): Promise<FakeService> {
  const made = await startFakeService(scene);
  services.push(made);
  return made;
}

const sightline = (args: readonly string[], onUrl?: (url: URL) => unknown) => sightlineIn(folder, args, onUrl);

test.each([[['--no-browser']], [[]]])(
  'sightline login %j prints the address, keeps the token, and sightline token prints it alone',
  async (options) => {
    const at = await service();
    const login = await sightline(['login', '--base', at.origin, ...options], (url) => void at.browse(url));
    expect(login).toMatchObject({ status: 0, out: '' });
    expect(login.err).toContain(`Logged in to ${at.origin}/mcp-account with the scopes audit:run.`);
    const file = join(folder, 'sightline', 'tokens.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const kept = JSON.parse(readFileSync(file, 'utf8')) as {
      tokens: [{ access_token: string; refresh_token: string }];
    };
    const [{ access_token: access, refresh_token: refresh }] = kept.tokens;
    expect(login.err).not.toMatch(new RegExp(`${access}|${refresh}`));
    expect(await sightline(['token', '--base', at.origin])).toEqual({ status: 0, out: `${access}\n`, err: '' });
  },
);

test('C17: runs of sightline token at the same time renew one after the other, each with what the last one got', async () => {
  const at = await service({ token: { expires_in: 30 } });
  await sightline(['login', '--base', at.origin, '--no-browser'], (url) => void at.browse(url));
  const before = at.of('/token').length;
  const runs = await Promise.all(Array.from({ length: 3 }, () => sightline(['token', '--base', at.origin])));
  expect(runs.map(({ status }) => status)).toEqual([0, 0, 0]);
  // Each finds 30 s left and renews in turn; a refresh token that was used twice would be refused by this server.
  expect(at.of('/token')).toHaveLength(before + 3);
  expect(new Set(at.of('/token').map(({ form }) => form.get('refresh_token') ?? '')).size).toBe(before + 3);
});

test('a server that refuses ends with 1, one that is not there with 3, wrong usage with 2', async () => {
  const refusing = await service({ metadata: () => ({ code_challenge_methods_supported: undefined }) });
  const refused = await sightline(['login', '--base', refusing.origin, '--no-browser']);
  expect(refused).toMatchObject({ status: 1, out: '', err: expect.stringMatching(/^no_pkce: /) });
  const gone = await service();
  await gone.stop();
  expect((await sightline(['login', '--base', gone.origin])).status).toBe(3);
  for (const args of [['login', '--base', 'http://service.example'], ['login', '--nothing'], ['login']])
    expect((await sightline(args)).status).toBe(2);
  const none = await sightline(['token', '--base', refusing.origin]);
  expect(none).toMatchObject({ status: 1, out: '', err: expect.stringContaining('Run sightline login.') });
});
