import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reservePort, LOOPBACK } from '../../../local/ports.ts';
import { startWorker } from '../../../local/worker.ts';
import { type Browser, newBrowser } from '../../conformance/support/browser.ts';
import { signedInBrowser } from '../../conformance/support/oauth.ts';
import { signInOperator } from '../../conformance/support/person.ts';

const entry = fileURLToPath(new URL('../../../local/api-worker.ts', import.meta.url));
const newSecret = (): string => randomBytes(32).toString('base64url');

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'sightline-secret-'));
});
afterEach(() => {
  rmSync(state, { recursive: true, force: true });
});

/** Runs the service with a secret on the state of the run before, while `task` asks it. */
async function deployed(secret: string, port: number, task: (baseUrl: string) => Promise<void>): Promise<void> {
  const baseUrl = `http://${LOOPBACK}:${port}`;
  const bindings = { BASE_URL: baseUrl, ANSWER_ENGINE: 'none', OPERATOR_SECRET: secret };
  const worker = await startWorker({ entry, port, persistTo: state, bindings });
  try {
    await task(baseUrl);
  } finally {
    await worker.stop();
  }
}

const accountOf = async (browser: Browser): Promise<number> => (await browser.request('/account')).status;

test('A4: a new operator secret ends the sessions of the operator, and only those; the same secret keeps them', async () => {
  const port = await reservePort(0, 'the api Worker', '--port');
  const first = newSecret();
  const operator = newBrowser(`http://${LOOPBACK}:${port}`);
  let payer: Browser | undefined;
  await deployed(first, port, async (baseUrl) => {
    payer = await signedInBrowser(baseUrl);
    await signInOperator(operator, first);
    expect([await accountOf(operator), await accountOf(payer)]).toEqual([200, 200]);
  });
  await deployed(first, port, async () => {
    expect(await accountOf(operator)).toBe(200);
  });
  await deployed(newSecret(), port, async () => {
    expect([await accountOf(operator), payer && (await accountOf(payer))]).toEqual([303, 200]);
  });
  await deployed(first, port, async () => {
    expect(await accountOf(operator)).toBe(303);
  });
});
