import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';
import { startPlantedSeller } from '../../support/seller/planted-seller.ts';

let good: Awaited<ReturnType<typeof startPlantedSeller>>;
let poor: Awaited<ReturnType<typeof startPlantedSeller>>;
beforeAll(async () => {
  good = await startPlantedSeller();
  poor = await startPlantedSeller({
    terms: (terms) => (terms.accepts[0].payTo = '0x0000000000000000000000000000000000000000'),
    headers: (headers) => delete headers['access-control-allow-origin'],
  });
});
afterAll(async () => {
  await Promise.all([good.stop(), poor.stop()]);
});

const seller = (...args: string[]): Promise<Ended> => runCli(['seller', ...args], { cwd: tmpdir() });

test('says for people what to fix, the heaviest first, and what was offered', async () => {
  const { status, out } = await seller(poor.url);
  expect(status).toBe(0);
  const at = (text: string): number => out.indexOf(text);
  expect(out).toContain('Sold by x402 v2 and MPP.');
  expect(at('[seller.terms.pay-to]')).toBeGreaterThan(0);
  expect(at('[seller.cors.exposed]')).toBeGreaterThan(at('[seller.terms.pay-to]'));
  expect(out).toContain('To do: Set the payee to an address whose key you alone hold.');
  expect(out).not.toContain('[seller.terms.amount]');
  expect((await seller(poor.url, '--verbose')).out).toContain('[seller.terms.amount]');
});

test('--min-score passes a good seller and holds a poor one back', async () => {
  expect((await seller(good.url, '--min-score', '100')).status).toBe(0);
  const { status, err } = await seller(poor.url, '--min-score', '100');
  expect(status).toBe(1);
  expect(err).toMatch(/Below the minimum: \d+ < 100/);
});

test('the report is JSON, Markdown, SARIF and JUnit too', async () => {
  const json = JSON.parse((await seller(poor.url, '--json')).out) as { checks: { id: string; status: string }[] };
  expect(json.checks.find(({ id }) => id === 'seller.terms.pay-to')?.status).toBe('fail');
  const md = (await seller(poor.url, '--format', 'md')).out;
  expect(md).toContain('# Seller report');
  expect(md).toContain('What to do: Set the payee');
  const sarif = JSON.parse((await seller(poor.url, '--format', 'sarif')).out) as {
    runs: { results: { ruleId: string }[] }[];
  };
  expect(sarif.runs[0]?.results.map(({ ruleId }) => ruleId)).toContain('seller.terms.pay-to');
  expect((await seller(poor.url, '--format', 'junit')).out).toContain('classname="seller.terms.pay-to"');
});

test('a seller that does not answer ends with 3, and wrong words with 2', async () => {
  const gone = await startPlantedSeller();
  await gone.stop();
  const { status, err } = await seller(gone.url);
  expect(status).toBe(3);
  expect(err).toContain('could not be read');
  expect((await seller(good.url, '--min-score', 'high')).status).toBe(2);
  expect((await seller('ftp://seller.example/')).status).toBe(2);
});
