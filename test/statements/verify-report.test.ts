import { describe, expect, test } from 'vitest';
import { buildDeliverySummary } from '../../src/statements/delivery-summary.ts';
import { verifyReport } from '../../src/statements/verify-report.ts';
import {
  boughtText,
  ISSUER,
  keyOf,
  keySetText,
  RESULT,
  signedText,
  SNAPSHOT_SHA256,
} from '../support/statements/signed-report.ts';

type Json = Record<string, unknown> & {
  statement: { claims: Record<string, unknown>; jws: string };
  receipt: { claims: Record<string, unknown>; jws: string };
  payment: Record<string, unknown>;
};

const parse = (text: string): Json => JSON.parse(text) as Json;

/** Names of the checks that failed; the reason where nothing could be checked. */
async function findFailed(report: unknown, given: Partial<Parameters<typeof verifyReport>[0]> = {}) {
  const found = await verifyReport({ report, keySet: await keySetText(), issuer: ISSUER, ...given });
  return found.kind === 'unverifiable'
    ? found.reason
    : found.lines.filter(({ ok }) => ok === false).map(({ part }) => part);
}

describe('a signed report', () => {
  test('passes as it is stored, as its buyer gets it, and written in another way', async () => {
    const stored = await signedText();
    expect(await findFailed(parse(stored), { snapshotSha256: SNAPSHOT_SHA256 })).toEqual([]);
    expect(await findFailed(parse(await boughtText()))).toEqual([]);
    const turned = Object.fromEntries(Object.entries(parse(stored)).toReversed());
    expect(await findFailed(JSON.parse(JSON.stringify(turned, null, 2)))).toEqual([]);
  });

  test.each<[string, (report: Json) => void, readonly string[]]>([
    ['a number of the result', (report) => (report['scores'] = { aeo: { score: 62 } }), ['result']],
    ['a member that was added', (report) => (report['note'] = 'Better than it was'), ['result']],
    ['a member that was taken out', (report) => delete report['notes'], ['result']],
    ['another address', (report) => (report['url'] = 'https://rival.example/'), ['result']],
    ['another report id', (report) => (report['report_id'] = 'f'.repeat(32)), ['report', 'result']],
    [
      'a claim',
      (report) => (report.statement.claims['issued_at'] = '2020-01-01T00:00:00.000Z'),
      ['signature', 'receipt'],
    ],
    [
      'the hash, with the result',
      (report) => (report.statement.claims['result_sha256'] = '0'.repeat(64)),
      ['signature', 'result', 'receipt'],
    ],
    [
      'a claim that was added',
      (report) => (report.statement.claims['award'] = 'Best of all'),
      ['signature', 'receipt'],
    ],
    [
      'the issuer',
      (report) => (report.statement.claims['issuer'] = 'https://evil.example'),
      ['issuer', 'signature', 'receipt'],
    ],
    ['the amount of the receipt', (report) => (report.receipt.claims['amount'] = '1'), ['receipt']],
    ...['amount', 'amount_usd', 'transaction', 'network', 'payer', 'method', 'settled_at'].map(
      (name): [string, (report: Json) => void, readonly string[]] => [
        `${name} of the payment beside the receipt`,
        (report) => (report.payment[name] = name === 'settled_at' ? '2020-01-01T00:00:00.000Z' : '1'),
        ['payment'],
      ],
    ),
    ['the payer of the payment by taking it out', (report) => delete report.payment['payer'], ['payment']],
    ['the payment to a text', (report) => Object.assign(report, { payment: '999 USD' }), ['payment']],
    ['a receipt in the place of the statement', (report) => (report.statement.jws = report.receipt.jws), ['signature']],
    ['a statement in the place of the receipt', (report) => (report.receipt.jws = report.statement.jws), ['receipt']],
    ['a header without a signature', (report) => (report.statement.jws = `${btoa('{"alg":"none"}')}..`), ['signature']],
    ['no JWS', (report) => (report.statement.jws = 'none'), ['signature']],
  ])('fails where someone changed %s', async (_what, change, expected) => {
    const report = parse(await boughtText());
    change(report);
    expect(await findFailed(report)).toEqual(expected);
  });

  test('fails by keys of another, for another service, and with another snapshot', async () => {
    const report = parse(await signedText());
    expect(await findFailed(report, { keySet: await keySetText(7) })).toEqual(['signature']);
    expect(await findFailed(report, { issuer: 'https://other.example' })).toEqual(['issuer']);
    expect(await findFailed(report, { snapshotSha256: '0'.repeat(64) })).toEqual(['snapshot']);
    const forged = parse(await signedText(RESULT, 9));
    const own = { ...forged, jwks: JSON.parse(await keySetText(9)) as unknown };
    expect(await findFailed(own)).toEqual(['signature', 'result']); // Keys of the report prove nothing.
  });

  test('is not believed by the key of delivery figures, nor figures by the key of results', async () => {
    const report = parse(await signedText(RESULT, 2));
    expect(await findFailed(report)).toEqual(['signature']);
    const facts = { issuer: ISSUER, weeks: 12, since: '2026-09-07', rows: [], unread: 0, nowMs: 0 };
    expect(await findFailed(await buildDeliverySummary(facts, await keyOf(2)))).toEqual([]);
    expect(await findFailed(await buildDeliverySummary(facts, await keyOf(1)))).toEqual(['signature']);
    const figures = await buildDeliverySummary(facts, await keyOf(2));
    expect(await findFailed({ ...figures, claims: { ...figures.claims, rows: [{ delivered: 9 }] } })).toEqual([
      'signature',
    ]);
  });

  test('a kid in the key set is not believed: thumbprints are computed', async () => {
    const [key] = (JSON.parse(await keySetText(1)) as { keys: { kid: string }[] }).keys;
    const [other] = (JSON.parse(await keySetText(9)) as { keys: object[] }).keys;
    const report = parse(await signedText());
    expect(await findFailed(report, { keySet: JSON.stringify({ keys: [{ ...other, kid: key?.kid }] }) })).toEqual([
      'signature',
    ]);
  });
});

describe('a payment', () => {
  const linesOf = async (report: unknown) => {
    const found = await verifyReport({ report, keySet: await keySetText(), issuer: ISSUER });
    if (found.kind === 'unverifiable') throw new Error(found.detail);
    return { ok: found.ok, payment: found.lines.filter(({ part }) => part === 'payment') };
  };

  test.each([
    { rail: 'x402', method: 'x402' },
    { rail: 'x402-svm', method: 'x402' },
    { rail: 'mpp', method: 'mpp' },
    { rail: 'transfer', method: 'transfer' },
    { rail: 'credits', method: 'credits' },
  ])('by $rail is the one that its receipt names', async (paid) => {
    const { ok, payment } = await linesOf(parse(await boughtText(1, paid)));
    expect([ok, payment.map((line) => line.ok)]).toEqual([true, [true]]);
  });

  test('says which of its members no one signed', async () => {
    const report = parse(await boughtText(1, { rail: 'credits' }));
    report.payment['bonus'] = '999 USD';
    const { payment } = await linesOf(report);
    expect(payment[0]?.detail).toContain('Not signed: balance_usd, bonus.');
    report.payment['payer'] = '0x1';
    expect(await linesOf(report)).toMatchObject({ ok: false, payment: [{ ok: false }] });
  });

  test.each<[string, (report: Json) => void, boolean]>([
    ['none is there', (report) => Reflect.deleteProperty(report, 'receipt'), true],
    ['it is unsigned', (report) => Object.assign(report, { receipt: 'unsigned' }), true],
    ['it was changed', (report) => (report.receipt.claims['amount'] = '1'), false],
  ])('is not checked where of its receipt %s', async (_what, change, isOk) => {
    const report = parse(await boughtText());
    report.payment['amount_usd'] = '999.00';
    change(report);
    const { ok, payment } = await linesOf(report);
    expect([ok, payment]).toEqual([
      isOk,
      [{ part: 'payment', ok: null, detail: expect.stringMatching(/^Not checked: /) as string }],
    ]);
  });

  test('is no matter of a published report, which has none', async () => {
    expect(await linesOf(parse(await signedText()))).toEqual({ ok: true, payment: [] });
  });
});

describe('delivery figures', () => {
  const facts = { issuer: ISSUER, weeks: 12, since: '2026-09-07', rows: [], unread: 0, nowMs: 0 };
  const invented = { report_id: 'f'.repeat(32), capability: 'full_audit', scores: { aeo: { score: 100 } } };

  test.each<[string, object]>([
    ['an invented report', invented],
    ['an invented report that says that it is unsigned', { ...invented, statement: 'unsigned' }],
    ['a result without a report id', { scores: { aeo: { score: 100 } } }],
    ['a note', { note: 'Best of all' }],
  ])('prove nothing about %s beside them', async (_what, beside) => {
    const figures = await buildDeliverySummary(facts, await keyOf(2));
    expect(await findFailed(figures)).toEqual([]);
    expect(await findFailed({ ...beside, ...figures })).toBe('two_in_one');
    expect(await findFailed({ ...figures, ...beside })).toBe('two_in_one');
  });

  test('prove nothing about a signed report that they were put into', async () => {
    const report = { ...parse(await signedText()), ...(await buildDeliverySummary(facts, await keyOf(2))) };
    expect(await findFailed(report)).toBe('two_in_one');
  });

  test('are said to be what was read, and are not made from a snapshot', async () => {
    const read = async (report: unknown, snapshotSha256?: string) => {
      const found = await verifyReport({ report, keySet: await keySetText(), issuer: ISSUER, snapshotSha256 });
      return found.kind === 'judged' ? [found.subject, found.ok] : found.reason;
    };
    const figures = await buildDeliverySummary(facts, await keyOf(2));
    expect(await read(figures)).toEqual(['delivery_figures', true]);
    expect(await read(figures, SNAPSHOT_SHA256)).toEqual(['delivery_figures', false]);
    expect(await read(parse(await signedText()), SNAPSHOT_SHA256)).toEqual(['report', true]);
  });
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'no_report'],
  ['a list', [], 'no_report'],
  ['another JSON', { a: 1 }, 'no_report'],
  ['a summary', { view: 'summary', report_id: 'x' }, 'no_whole_report'],
  ['a report of before', { capability: 'full_audit', report_id: 'x' }, 'unsigned'],
  ['an unsigned report', { report_id: 'x', statement: 'unsigned' }, 'unsigned'],
  ['a statement of another form', { report_id: 'x', statement: { jws: 1 } }, 'no_report'],
])('of %s nothing is checked, and the reason is said', async (_what, report, reason) => {
  expect(await findFailed(report)).toBe(reason);
});

test.each(['', '[]', '{"keys":1}', 'no JSON'])('%s is no key set', async (keySet) => {
  expect(await findFailed(parse(await signedText()), { keySet })).toBe('no_key_set');
});
