import { expect, test } from 'vitest';
import { DOCUMENT_LIMITS, resolveClientDocument } from '../../../src/authorization/clients/cimd.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { classifyHost } from '../../../src/net/address.ts';
import { lines } from '../../net/corpora.ts';

const NOW_MS = 1_800_000_000_000;

/** Every line as it stands, and as a client id would have it: by https, with a path. */
function idsOf(line: string): readonly string[] {
  const https = line.replace(/^[a-z]+:\/*/i, 'https://');
  const parsed = URL.canParse(https) ? new URL(https) : undefined;
  return [
    line,
    https,
    `${https.replace(/\/$/, '')}/client.json`,
    ...(parsed ? [`https://${parsed.hostname}/client.json`] : []),
  ];
}

test('kept: no address of the SSRF lists is asked for a client document, in any of its spellings', async () => {
  const asked: string[] = [];
  const ids = [...lines('ssrf-crs.txt'), ...lines('ssrf-req-filter-blocked.txt')].flatMap(idsOf);
  for (const id of ids) {
    const guardedFetch = createGuardedFetch({
      fetch: (url) => {
        asked.push(url);
        return Promise.resolve(new Response('{}'));
      },
      policy: allowPublicOnly(),
      clock: () => NOW_MS,
      limits: DOCUMENT_LIMITS,
    });
    await resolveClientDocument(id, { guardedFetch, now: () => NOW_MS, ownHosts: [] });
  }
  expect(ids.length).toBeGreaterThan(500);
  // Some lines name hosts of the public web: those may be asked, and nothing else.
  expect(asked.filter((url) => classifyHost(new URL(url).hostname).kind !== 'public')).toEqual([]);
});
