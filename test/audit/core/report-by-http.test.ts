import { describe, expect, test, vi } from 'vitest';
import { parseReadInstead } from '../../../src/audit/core/snapshot.ts';
import { gatherTyped, type OverHttp } from '../../../src/audit/core/report.ts';
import { runSitePreview } from '../../../src/audit/core/preview.ts';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { parseRecording, writeRecordingJson } from '../../../src/capabilities/recording.ts';
import { presenters } from '../../../src/capabilities/site-work.ts';
import type { GuardedFetch } from '../../../src/net/fetched.ts';
import { CLOCK_MS } from '../../support/audit/audit.ts';
import { failure, html, redirect, SITE, siteFetch, type SiteMap } from '../../support/audit/site-fetch.ts';
import { fixtureTools, newRewriter } from '../../support/stack/local-tools.ts';

const PAGE = html('<title>Acme</title><p>Acme bakes bread in Weimar.</p>');
const HTTP = 'http://acme.example/';
/** A site that is reached by http alone. */
const httpOnly: SiteMap = { [`${SITE}/`]: failure('connection_failed'), [HTTP]: PAGE };

async function runHealth(map: SiteMap, bareTargets: readonly string[]) {
  const row = findCapability('check_health');
  if (!row) throw new Error('no check_health');
  return row.run({ url: `${SITE}/` }, { ...fixtureTools(map), bareTargets });
}

describe('a bare host', () => {
  test('is read by http where https cannot connect, and the result says so', async () => {
    const outcome = await runHealth(httpOnly, [`${SITE}/`]);
    expect(outcome).toMatchObject({ ok: true });
    if (!outcome.ok) return;
    expect(outcome.warnings).toContain(`${SITE}/ gave no answer, so ${HTTP} was read instead.`);
    expect(outcome.warnings.map(parseReadInstead)).toContainEqual({ asked: `${SITE}/`, read: HTTP });
    expect(outcome.recording?.snapshots[0]?.url).toBe(HTTP);
  });

  test('says the same when its recording is presented again', async () => {
    const outcome = await runHealth(httpOnly, [`${SITE}/`]);
    if (!outcome.ok || !outcome.recording) throw new Error('not recorded');
    const read = parseRecording([...writeRecordingJson(outcome.recording)].join(''));
    if (!read.ok) throw new Error(read.detail);
    const again = await presenters.check_health(read.recording, { newRewriter });
    expect(again).toEqual({ ok: true, result: outcome.result, warnings: outcome.warnings });
  });

  test('is read by https where that connects', async () => {
    const outcome = await runHealth({ '/': PAGE, [HTTP]: PAGE }, [`${SITE}/`]);
    expect(outcome).toMatchObject({ ok: true, recording: { snapshots: [{ url: `${SITE}/` }] } });
    expect(JSON.stringify(outcome)).not.toContain('was read instead');
  });

  test('fails with both reasons where neither connects', async () => {
    const both: SiteMap = { [`${SITE}/`]: failure('connection_failed'), [HTTP]: failure('timeout') };
    expect(await runHealth(both, [`${SITE}/`])).toEqual({
      ok: false,
      reason: 'target_unreachable',
      detail: expect.stringMatching(/^timeout at http:\/\/acme\.example\/: .*\. By https: /),
      unread: expect.objectContaining({ failure: 'timeout', url: HTTP }),
    });
  });

  test.each([
    ['a timeout', failure('timeout')],
    ['a redirect that leads nowhere', redirect('https://elsewhere.example/')],
  ])('is not read by http after %s', async (_what, start) => {
    const outcome = await runHealth({ [`${SITE}/`]: start, [HTTP]: PAGE }, [`${SITE}/`]);
    expect(outcome).toMatchObject({ ok: false, reason: 'target_unreachable' });
  });
});

test('who wrote https gets https or a failure', async () => {
  expect(await runHealth(httpOnly, [])).toMatchObject({ ok: false, reason: 'target_unreachable' });
});

test('only the bare address of a comparison may be read by http', async () => {
  const row = findCapability('compare');
  const body = { url: `${SITE}/`, competitor: 'https://rival.example/' };
  const map = { ...httpOnly, 'https://rival.example/': failure('connection_failed'), 'http://rival.example/': PAGE };
  const compare = (bareTargets: readonly string[]) => row?.run(body, { ...fixtureTools(map), bareTargets });
  expect(await compare([body.url])).toMatchObject({ ok: false, reason: 'target_unreachable' });
  expect(await compare([body.url, body.competitor])).toMatchObject({
    ok: true,
    warnings: expect.arrayContaining([expect.stringMatching(/^Competitor: https:\/\/rival\.example\/ gave no answer/)]),
  });
});

test('a preview names the address that it read', async () => {
  const options = {
    clockMs: CLOCK_MS,
    onStep: () => undefined,
    pause: async () => undefined,
    signal: new AbortController().signal,
  };
  const fetch = siteFetch(httpOnly);
  const outcome = await runSitePreview(`${SITE}/`, { ...options, fetch, overHttp: () => ({ fetch }) });
  expect(outcome).toMatchObject({ ok: true, preview: { url: HTTP } });
  expect(await runSitePreview(`${SITE}/`, { ...options, fetch })).toMatchObject({ ok: false });
});

test('a wrong certificate is a connection: http is not tried', async () => {
  const wrong: GuardedFetch = async () => ({
    ok: false,
    reason: 'connection_failed',
    detail: 'no answer came (CERT_HAS_EXPIRED)',
    redirects: [],
    elapsedMs: 1,
  });
  const overHttp = vi.fn<OverHttp>(() => ({ fetch: siteFetch(httpOnly) }));
  const snapshot = await gatherTyped(`${SITE}/`, { fetch: wrong, clockMs: CLOCK_MS }, overHttp);
  expect(snapshot.url).toBe(`${SITE}/`);
  expect(overHttp).not.toHaveBeenCalled();
});
