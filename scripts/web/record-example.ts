/**
 * Writes `src/web/static/example.json`: everything that the good demo site answers to a full audit. The start page and
 * `/example` judge it again in each deployment (`src/web/start/example.ts`). Run it after the demo site has changed.
 */
import { writeFileSync } from 'node:fs';
import { startSites } from '../../local/sites/sites.ts';
import { findCapability } from '../../src/capabilities/catalog.ts';
import { writeRecordingJson } from '../../src/capabilities/recording.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import { createGuardedFetch, type FetchFunction } from '../../src/net/guarded-fetch.ts';

const FILE = new URL('../../src/web/static/example.json', import.meta.url);
/** Checks of public sites apply to it, and no one can own it (RFC 2606). */
const ORIGIN = 'https://lanternbay.example.com';
/** Answers that have no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 304]);

/** Fetches from the demo site at `local` as if it were at `ORIGIN`; no other host gives an answer. */
const createDemoFetch =
  (local: string): FetchFunction =>
  async (address, { method, headers, body, signal }) => {
    const url = new URL(address);
    if (url.host !== new URL(ORIGIN).host) throw new TypeError('There is no network here.');
    if (url.protocol === 'http:') return Response.redirect(url.href.replace('http:', 'https:'), 308);
    const sent = Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      value.replaceAll(ORIGIN, local),
    ]);
    const answer = await fetch(`${local}${url.pathname}${url.search}`, {
      method,
      headers: sent,
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body: body.replaceAll(ORIGIN, local) }),
    });
    const text = (await answer.text()).replaceAll(local, ORIGIN);
    return new Response(EMPTY.has(answer.status) || method === 'HEAD' ? null : text, {
      status: answer.status,
      headers: [...answer.headers].map(([name, value]): [string, string] => [name, value.replaceAll(local, ORIGIN)]),
    });
  };

const sites = await startSites();
try {
  const policy = allowPublicOnly();
  const fetchDemo = createDemoFetch(new URL(sites.good).origin);
  const outcome = await findCapability('full_audit')?.run(
    { url: `${ORIGIN}/` },
    {
      guardedFetch: () => createGuardedFetch({ fetch: fetchDemo, policy, clock: Date.now }),
      atTarget: (_url, task) => task(),
      clockMs: Date.now(),
      newRewriter: () => {
        throw new Error('an audit patches no page');
      },
    },
  );
  if (!outcome?.ok || outcome.recording === undefined) throw new Error(`no audit: ${JSON.stringify(outcome)}`);
  writeFileSync(FILE, `${[...writeRecordingJson(outcome.recording)].join('')}\n`);
  console.log(JSON.stringify(outcome.result['summary'], null, 2));
} finally {
  await sites.stop();
}
