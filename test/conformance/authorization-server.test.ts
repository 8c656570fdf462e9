import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reservePort, LOOPBACK } from '../../local/ports.ts';
import { type LocalWorker, startWorker } from '../../local/worker.ts';
import { decide } from './support/person.ts';
import { discover, register, signedInBrowser, type World } from './support/oauth.ts';
import { failuresOf, runSuite } from './support/suite.ts';

const SCENARIOS = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];

let worker: LocalWorker;
let world: World;
beforeAll(async () => {
  const port = await reservePort(0, 'the api Worker', '--port');
  const baseUrl = `http://${LOOPBACK}:${port}`;
  worker = await startWorker({
    entry: fileURLToPath(new URL('../../local/api-worker.ts', import.meta.url)),
    port,
    bindings: { BASE_URL: baseUrl, ANSWER_ENGINE: 'none' },
  });
  world = await discover(baseUrl);
});
afterAll(async () => {
  await worker?.stop();
});

test('the authorization server passes the scenarios of the official suite as a public client sees it', async () => {
  const port = await reservePort(0, 'the callback of the suite', '--port');
  const client = await register(world, { redirect_uris: [`http://${LOOPBACK}:${port}/callback`] });
  const browser = await signedInBrowser(world.base);
  let opened: Promise<void> | undefined;
  // The suite prints the URL that a person has to open, and waits for its callback server to be called.
  const person = async (url: string): Promise<void> => {
    const page = await decide(browser, await browser.open(url), 'allow');
    await fetch(page.url);
  };
  const run = await runSuite(
    'authorization',
    ['--url', world.as.issuer, '--client-id', client.client_id, '--resource', world.resource, '--port', String(port)],
    (output) => {
      const url = /^(http:\S+\/authorize\?\S+)\n/m.exec(output)?.[1];
      if (url !== undefined) opened ??= person(url);
    },
  );
  await opened;
  console.info(`conformance authorization server: ${run.checks.size} scenarios in ${run.tookMs} ms`);
  expect([...run.checks.keys()].toSorted()).toEqual(SCENARIOS.toSorted());
  expect(failuresOf(run, SCENARIOS)).toEqual([]);
  const checks = [...run.checks.values()].flat();
  expect(checks.filter(({ status }) => status !== 'SUCCESS')).toEqual([]);
});
