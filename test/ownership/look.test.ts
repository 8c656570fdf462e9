import { expect, test } from 'vitest';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import type { TxtAnswer } from '../../src/net/dns-over-https.ts';
import { lookForProof } from '../../src/ownership/look.ts';
import { formatProofUrl, formatRecordText, openProof } from '../../src/ownership/proof.ts';

const proof = openProof('account', 'www.example.com', 0);
const wanted = formatRecordText(proof);

type Records = Readonly<Record<string, readonly string[] | 'failed'>>;
type Page = { status: number; body?: string; location?: string } | 'failed';

const look = (records: Records, page: Page = { status: 404 }) =>
  lookForProof(proof, {
    resolveTxt: async (name): Promise<TxtAnswer> => {
      const texts = records[name] ?? [];
      return texts === 'failed' ? { ok: false, reason: 'lookup_failed', detail: 'code 2' } : { ok: true, texts };
    },
    fetch: createGuardedFetch({
      policy: allowPublicOnly(),
      clock: () => 0,
      fetch: async (url) => {
        if (page === 'failed') throw new Error('refused');
        if (url !== formatProofUrl('www.example.com')) return new Response(wanted);
        const headers = page.location === undefined ? {} : { location: page.location };
        return new Response(page.body ?? '', { status: page.status, headers });
      },
    }),
  });

test('a record of the host or of its domain proves it', async () => {
  expect(await look({ '_sightline.www.example.com': ['other', wanted] })).toEqual({ state: 'found', place: 'dns' });
  expect(await look({ '_sightline.example.com': [wanted] })).toEqual({ state: 'found', place: 'dns' });
});

test('so does a line of the file', async () =>
  expect(await look({}, { status: 200, body: `# ours\r\n${wanted}\r\n` })).toEqual({ state: 'found', place: 'file' }));

test.each<[string, Records, Page]>([
  [
    'the value of another account',
    { '_sightline.www.example.com': [formatRecordText(openProof('b', 'c.com', 0))] },
    { status: 404 },
  ],
  ['the value within a longer text', { '_sightline.www.example.com': [`${wanted}0`] }, { status: 404 }],
  ['a page that quotes the value', {}, { status: 200, body: `<p>${wanted}</p>` }],
  ['a file that has moved to another host', {}, { status: 302, location: 'https://elsewhere.example/file' }],
  ['a file with an error status', {}, { status: 403, body: wanted }],
])('%s proves nothing', async (_title, records, page) =>
  expect(await look(records, page)).toMatchObject({ state: 'absent' }),
);

test.each<[string, Records, Page]>([
  ['a failed lookup', { '_sightline.example.com': 'failed' }, { status: 404 }],
  ['a server that fails', {}, { status: 503 }],
  ['a host that does not answer', {}, 'failed'],
])('%s is not "absent"', async (_title, records, page) =>
  expect(await look(records, page)).toMatchObject({ state: 'unknown' }),
);
