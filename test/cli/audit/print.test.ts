import { expect, test } from 'vitest';
import { formatPaidLine, renderResult } from '../../../src/cli/audit/print.ts';
import { formatSafeLine } from '../../../src/cli/core/terminal.ts';

const failing = {
  id: 'llms-txt-h1',
  title: 'llms.txt starts with a heading',
  status: 'fail',
  weight: 2,
  note: 'The first block is a list',
  why: 'The heading names the site',
  fix: 'Write "# Name" on the first line',
};
const passing = {
  id: 'robots-fetch',
  title: 'robots.txt is fetchable',
  status: 'pass',
  weight: 3,
  note: 'ok',
  why: '',
};
const audit = {
  capability: 'full_audit',
  url: 'http://127.0.0.1:8080/',
  report_id: 'abc',
  scores: {
    aeo: { score: 67, grade: 'C', coverage: 0.914, gates: [{ id: 'noindex', cap: 40 }], checks: [failing, passing] },
    geo: { score: 100, grade: 'A', coverage: 1, gates: [], checks: [failing] },
  },
  warnings: ['one page timed out'],
  payment: { method: 'x402', transaction: '0xabc', payer: '0xdef', amount_usd: '0.350000' },
};

test('payment, warnings and unknown fields are printed too', () => {
  const text = renderResult({ ...audit, mention_rate: { value: 0.4, low: 0.2, high: 0.6, n: 30 } });
  expect(text).toContain('Paid 0.350000 USDC by x402 from 0xdef\nTransaction 0xabc');
  expect(text).toContain('Warning: one page timed out');
  expect(text).toContain('mention_rate:\n  value: 0.4');
});

test('a bought result is printed with the address of its report, and one of before with its id', () => {
  const url = 'https://sightline.example/reports/abc';
  expect(renderResult({ ...audit, report_url: url })).toContain(`Report ${url}\n`);
  expect(renderResult(audit)).toContain('Report abc\n');
});

test('the whole of a bought report is fetched: the same command would buy another one', () => {
  const report_url = 'https://sightline.example/reports/abc';
  const bought = renderResult({ ...audit, report_url });
  expect(bought).toContain(`The whole report: curl -o report.html ${report_url}.html\n`);
  expect(bought).not.toContain('the same command');
  expect(renderResult(audit)).toContain('The whole report: the same command with --format html -o report.html');
});

test('signatures do not fill the screen, and the token to publish is shown to its buyer', () => {
  const signed = { jws: 'eyJhbGciOiJFZERTQSJ9..c2ln', claims: { iss: 'https://sightline.example' } };
  const text = renderResult({ ...audit, statement: signed, receipt: signed, publish_token: 'the-token' });
  expect(text).not.toContain('eyJ');
  expect(text).not.toContain('claims');
  expect(text).toContain('Publish token, for you alone: the-token\nThe signed receipt is in JSON only');
});

test('a payment is one line where the result goes to a file', () => {
  expect(formatPaidLine(audit)).toBe('Paid 0.350000 USDC by x402 from 0xdef');
  expect(formatPaidLine({ ...audit, payment: undefined })).toBeUndefined();
});

const hostile = [
  ['\u001b[2J\u001b]0;title\u0007clear', '[2J]0;titleclear'],
  ['\u009b31mred', '31mred'],
  ['a\u202eb\u2066c\u2069', 'abc'],
  ['a\u200bb\ufeffc', 'abc'],
  ['line\r\nforged line', 'line forged line'],
  ['tag\u{e0041}\u{e007f}', 'tag'],
  ['null\u0000\u007f', 'null'],
  ['Grüße, 世界 👍', 'Grüße, 世界 👍'],
] as const;

test.each(hostile)('X8: foreign text %j is printed as %j', (text, safe) => expect(formatSafeLine(text)).toBe(safe));

test.each(hostile)('X8: %j reaches the terminal from no field of a result', (text) => {
  const check = { ...failing, id: text, title: text, note: text, why: text, fix: text };
  const rendered = renderResult({
    capability: text,
    url: text,
    report_id: text,
    report_url: text,
    checks: [check],
    scores: { [text]: { score: 1, grade: text, gates: [{ id: text, cap: 1 }], checks: [check] } },
    fixes: [{ id: text, title: text, instructions: text }],
    files: [{ path: text, media_type: text, content: text }],
    summary: { text, fixes: [{ check_id: text, fix: text }] },
    warnings: [text],
    payment: { method: text, transaction: text, payer: text, amount_usd: text },
    [text]: { [text]: [text] },
  });
  expect(rendered.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test('X8: a result of another shape is printed safely as well', () => {
  expect(renderResult({ scores: '\u001b[31mred', checks: { deep: { deep: { deep: { deep: { deep: 1 } } } } } })).toBe(
    'scores: [31mred\nchecks:\n  deep:\n    deep:\n      deep:\n        ...\n',
  );
});

test('text is cut by characters, not in the middle of one', () => expect(formatSafeLine('👍👍👍', 2)).toBe('👍…'));
