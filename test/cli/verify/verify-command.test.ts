import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDeliverySummary } from '../../../src/statements/delivery-summary.ts';
import { runCli } from '../../support/runner/run-cli.ts';
import { boughtText, ISSUER, keyOf, keySetText, signedText } from '../../support/statements/signed-report.ts';

let cwd: string;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sightline-verify-'));
  const facts = { issuer: ISSUER, weeks: 12, since: '2026-09-07', rows: [], unread: 0, nowMs: 0 };
  const figures = await buildDeliverySummary(facts, await keyOf(2));
  const files = {
    'delivery.json': JSON.stringify(figures),
    'forged.json': JSON.stringify({ report_id: 'f'.repeat(32), capability: 'full_audit', score: 100, ...figures }),
    'report.json': await signedText(),
    'bought.json': await boughtText(),
    'paid.json': await withoutReceipt(),
    'changed.json': (await boughtText()).replace('"score":61', '"score":99'),
    'unsigned.json': '{"report_id":"1","statement":"unsigned"}',
    'summary.json': '{"view":"summary","report_id":"1"}',
    'hostile.json': (await signedText()).replace(
      '"issuer":"https://sightline.example"',
      '"issuer":"\\u001b[31mhttps://evil.example"',
    ),
    'text.txt': 'no JSON',
    'jwks.json': await keySetText(),
    'snapshot.json': '{"version":1}',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
});
/** A payment of someone's own making, beside a result that is signed. */
async function withoutReceipt(): Promise<string> {
  const { receipt: _receipt, ...bought } = JSON.parse(await boughtText()) as Record<string, object>;
  return JSON.stringify({ ...bought, payment: { ...bought['payment'], amount_usd: '999.00' } });
}
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const GOOD = ['--jwks', 'jwks.json', '--issuer', ISSUER];

test.each<[string, readonly string[], number, RegExp]>([
  [
    'a report',
    ['report.json', ...GOOD],
    0,
    /^Every check passed\.\nRead as a report\nIssuer https:\/\/sightline\.example\nKey [\w-]{43}, looked up in jwks\.json\n/,
  ],
  [
    'the answer to a purchase',
    ['bought.json', ...GOOD],
    0,
    /^Every check passed\.[\s\S]*pass {2}receipt: 0\.35 USD by x402[\s\S]*pass {2}payment: /,
  ],
  [
    'a payment without a receipt',
    ['paid.json', ...GOOD],
    0,
    /^Every check that could be made passed\.[\s\S]*---- {2}payment: Not checked: there is no receipt\./,
  ],
  [
    'delivery figures',
    ['delivery.json', ...GOOD],
    0,
    /^Every check passed\.\nRead as delivery figures, which say nothing about any report\n/,
  ],
  ['an issuer with a slash', ['report.json', '--jwks', 'jwks.json', '--issuer', `${ISSUER}/`], 0, /^Every check/],
  ['a changed report', ['changed.json', ...GOOD], 1, /^Not verified\.[\s\S]*FAIL {2}result/],
  ['a snapshot that is another', ['report.json', ...GOOD, '--snapshot', 'snapshot.json'], 1, /FAIL {2}snapshot/],
  [
    'an issuer with terminal codes',
    ['hostile.json', ...GOOD],
    1,
    /^Not verified\.\nRead as a report\nIssuer [ -~]*evil/,
  ],
])('of %s', async (_what, words, status, says) => {
  const ended = await runCli(['verify', ...words], { cwd });
  expect(ended).toMatchObject({ status, err: '' });
  expect(ended.out).toMatch(says);
  expect(ended.out).not.toMatch(/\bvalid\b/i);
});

test.each<[string, readonly string[], number, RegExp]>([
  ['an unsigned report', ['unsigned.json', ...GOOD], 1, /The report is unsigned[\s\S]*sightline replay/],
  ['an invented report with delivery figures in it', ['forged.json', ...GOOD], 2, /No service writes such a file/],
  ['a summary', ['summary.json', ...GOOD], 2, /view=full/],
  ['a file that is no JSON', ['text.txt', ...GOOD], 2, /no JSON object/],
  ['a key set that is none', ['report.json', '--jwks', 'text.txt', '--issuer', ISSUER], 2, /key set is no JSON/],
  ['no keys', ['report.json', '--issuer', ISSUER], 2, /--jwks <file>/],
  ['no issuer', ['report.json', '--jwks', 'jwks.json'], 2, /--issuer <origin>/],
  ['an issuer with a path', ['report.json', '--jwks', 'jwks.json', '--issuer', `${ISSUER}/x`], 2, /is no origin/],
  ['a file that is not there', ['nothing.json', ...GOOD], 2, /nothing\.json: cannot be read \(ENOENT\)/],
  ['no file', GOOD, 2, /file/],
])('refuses %s', async (_what, words, status, says) => {
  const ended = await runCli(['verify', ...words], { cwd });
  expect(ended).toMatchObject({ status, out: '' });
  expect(ended.err).toMatch(says);
});

test('prints what was found as JSON', async () => {
  const ended = await runCli(['verify', 'report.json', ...GOOD, '--json'], { cwd });
  expect(JSON.parse(ended.out)).toMatchObject({
    verified: true,
    subject: 'report',
    type: 'result-statement',
    issuer: ISSUER,
    checks: [
      { part: 'issuer', ok: true },
      { part: 'signature', ok: true },
      { part: 'report', ok: true },
      { part: 'result', ok: true },
    ],
  });
});
