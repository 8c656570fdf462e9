import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseAddress, parseTypedTarget } from '../../../src/cli/audit/typed-target.ts';
import type { GuardedFetch } from '../../../src/net/fetched.ts';
import { runCli } from '../../support/runner/run-cli.ts';

describe('a typed address', () => {
  test.each([
    ['example.com', 'https://example.com/', 'http://example.com/'],
    ['  example.com/a?b  ', 'https://example.com/a?b', 'http://example.com/a?b'],
    ['EXAMPLE.com.', 'https://example.com/', 'http://example.com/'],
    ['example.com:8443', 'https://example.com:8443/', 'http://example.com:8443/'],
    ['localhost:3000', 'http://localhost:3000/', 'https://localhost:3000/'],
    ['127.0.0.1:8080/x', 'http://127.0.0.1:8080/x', 'https://127.0.0.1:8080/x'],
    ['[::1]:8080', 'http://[::1]:8080/', 'https://[::1]:8080/'],
    ['bücher.example', 'https://xn--bcher-kva.example/', 'http://xn--bcher-kva.example/'],
  ])('%j is %s first, then %s', (typed, url, other) => {
    expect(parseTypedTarget(typed)).toEqual({ ok: true, url, other });
  });

  test.each(['http://example.com', 'https://example.com/a', 'HTTPS://example.com'])('%s is what it says', (typed) => {
    expect(parseTypedTarget(typed)).toEqual({ ok: true, url: new URL(typed).href });
  });

  test.each([
    ['ftp://example.com', 'scheme_refused'],
    ['https://me:secret@example.com', 'credentials_refused'],
    ['not an address', 'invalid_url'],
    ['', 'invalid_url'],
  ])('%j is refused: %s', (typed, reason) => {
    const read = parseTypedTarget(typed);
    expect(read).toMatchObject({ ok: false, failure: { reason, exit: 2 } });
    expect(JSON.stringify(read)).not.toContain('me:secret@example.com/?'); // The password is in no other form either.
  });
});

/** A fetch by which these origins cannot be connected to, for this reason. */
const unconnectable =
  (asked: string[], faults: Readonly<Record<string, string>>): ((url: string) => GuardedFetch) =>
  (url) =>
  async () => {
    asked.push(url);
    const detail = faults[new URL(url).protocol];
    const common = { redirects: [], elapsedMs: 1 };
    if (detail !== undefined) return { ok: false, reason: 'connection_failed', detail, ...common };
    return { ok: true, url, status: 404, headers: {}, bytes: new Uint8Array(), truncated: false, ...common };
  };

describe('the address of a bare host', () => {
  const bare = { ok: true, url: 'https://a.example/', other: 'http://a.example/' } as const;

  test.each([
    [{}, 'https://a.example/', 1, 0],
    [{ 'https:': 'no answer came (ECONNREFUSED)' }, 'http://a.example/', 2, 1],
    [{ 'https:': 'no answer came (ERR_TLS_CERT_ALTNAME_INVALID)' }, 'https://a.example/', 1, 0],
    [{ 'https:': 'no answer came (CERT_HAS_EXPIRED)' }, 'https://a.example/', 1, 0],
  ])('where %j, it is %s', async (faults, url, requests, notes) => {
    const [asked, said]: [string[], string[]] = [[], []];
    expect(await chooseAddress(bare, (line) => said.push(line), unconnectable(asked, faults))).toEqual({
      ok: true,
      url,
    });
    expect([asked.length, said.length]).toEqual([requests, notes]);
  });

  test('that answers neither way is unreachable, with both addresses', async () => {
    const faults = { 'https:': 'refused there', 'http:': 'refused here' };
    expect(await chooseAddress(bare, () => undefined, unconnectable([], faults))).toMatchObject({
      failure: {
        reason: 'connection_failed',
        exit: 3,
        detail: ['Tried: HEAD https://a.example/: refused there', 'Tried: HEAD http://a.example/: refused here'],
      },
    });
  });

  test('a full address is not asked for', async () => {
    const asked: string[] = [];
    await chooseAddress({ ok: true, url: 'http://a.example/' }, () => undefined, unconnectable(asked, {}));
    expect(asked).toEqual([]);
  });
});

describe('sightline audit of a bare host', () => {
  const server = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A page</title><h1>A page</h1>');
  });
  let host = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test('reads it by http on this machine', async () => {
    const { status, out, err } = await runCli(['audit', host, '--only', 'mcp', '--json'], { cwd: tmpdir() });
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ url: `http://${host}/` });
  });

  test('says which address was tried, and what to check', async () => {
    const { status, out, err } = await runCli(['audit', 'http://127.0.0.1:1/', '--only', 'mcp'], { cwd: tmpdir() });
    expect({ status, out }).toEqual({ status: 3, out: '' });
    expect(err).toMatch(/^http:\/\/127\.0\.0\.1:1\/ could not be read\. .*\n {2}Tried: GET http.*\n.*curl -I/);
    const json = await runCli(['audit', '127.0.0.1:1', '--only', 'mcp', '--json'], { cwd: tmpdir() });
    expect(JSON.parse(json.err)).toMatchObject({ reason: 'connection_failed', exit: 3 });
  });
});
