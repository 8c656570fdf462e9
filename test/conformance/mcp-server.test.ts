import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reservePort, LOOPBACK } from '../../local/ports.ts';
import { fileURLToPath } from 'node:url';
import { type LocalWorker, startWorker } from '../../local/worker.ts';
import { discover, grant, signedInBrowser } from './support/oauth.ts';
import { failuresOf, requiredServerScenarios, runSuite, type SuiteRun } from './support/suite.ts';
import { startTokenProxy, type TokenProxy } from './support/token-proxy.ts';

/** Revisions that are served, with the number of scenarios that the suite requires of a server of each. */
const REVISIONS = [
  ['2026-07-28', 37],
  ['2025-11-25', 30],
] as const;

let worker: LocalWorker;
let proxy: TokenProxy;
let runs: Map<string, SuiteRun>;

// The suite can send no token: a proxy adds one that a person consented to. Both revisions run at once; each request
// and each session of one is independent of the other.
beforeAll(async () => {
  const port = await reservePort(0, 'the fixture Worker', '--port');
  const baseUrl = `http://${LOOPBACK}:${port}`;
  worker = await startWorker({
    entry: fileURLToPath(new URL('support/fixture-worker.ts', import.meta.url)),
    port,
    bindings: { BASE_URL: baseUrl, ANSWER_ENGINE: 'none' },
  });
  const world = await discover(baseUrl);
  const { tokens } = await grant(world, await signedInBrowser(baseUrl));
  proxy = await startTokenProxy(worker.url, tokens.access_token);
  const started = REVISIONS.map(async ([revision]) => {
    const run = await runSuite('server', ['--url', `${proxy.url}/mcp-account`, '--requirements', revision]);
    return [revision, run] as const;
  });
  runs = new Map(await Promise.all(started));
});
afterAll(async () => {
  await proxy?.stop();
  await worker?.stop();
});

describe('the official suite, through OAuth, our gates and our sessions', () => {
  test.each(REVISIONS)('a server of revision %s passes all %i required scenarios', (revision, count) => {
    const required = requiredServerScenarios(revision);
    expect(required).toHaveLength(count);
    const run = runs.get(revision);
    if (run === undefined) throw new Error(`no run of ${revision}`);
    console.info(`conformance ${revision}: ${run.checks.size} scenarios in ${run.tookMs} ms`);
    expect(failuresOf(run, required)).toEqual([]);
  });

  test('a failing scenario is told: without the token nothing passes', async () => {
    const run = await runSuite('server', [
      '--url',
      `${worker.url}/mcp-account`,
      '--requirements',
      '2025-11-25',
      '--timeout',
      '3000',
    ]);
    expect(failuresOf(run, ['ping']).join('\n')).toMatch(/^ping: /);
    expect(run.exitCode).toBe(1);
  });
});
