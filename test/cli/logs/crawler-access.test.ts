import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import { isFailure } from '../../../src/cli/core/failure.ts';
import { buildCrawlerAccess } from '../../../src/cli/logs/crawler-access.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-access-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A look at `https://example.com/`, whose start page was read at `finalUrl`. */
const snapshotOf = (finalUrl: string): Snapshot => ({
  version: 1,
  url: 'https://example.com/',
  clockMs: 0,
  exchanges: [
    {
      role: 'page',
      method: 'GET',
      url: 'https://example.com/',
      requestHeaders: {},
      answer: {
        ok: true,
        url: finalUrl,
        status: 200,
        headers: {},
        body: '',
        bodyBytes: 0,
        sha256: '',
        truncated: false,
        redirects: [],
      },
      ms: 0,
    },
  ],
});

test('requests of the host that was typed and of the one that it redirects to are of the site', async () => {
  const log = join(folder, 'access.log');
  const line = (host: string): string =>
    `${host}:443 203.0.113.7 - - [12/Nov/2026:06:25:14 +0000] "GET /a HTTP/1.1" 200 512 "-" "CCBot/2.0"\n`;
  writeFileSync(log, line('example.com') + line('www.example.com') + line('other.example'));
  const countOf = async (finalUrl: string): Promise<number> => {
    const table = await buildCrawlerAccess(snapshotOf(finalUrl), [log], () => undefined);
    if (isFailure(table)) throw new Error(table.message);
    const { came } = table.rows.find(({ token }) => token === 'CCBot') ?? {};
    return Object.values(came ?? {}).reduce((sum, visits) => sum + (visits?.requests ?? 0), 0);
  };
  expect(await countOf('https://www.example.com/')).toBe(2);
  expect(await countOf('https://example.com/')).toBe(1);
});
