import { describe, expect, test } from 'vitest';
import { engineKeyNames } from '../../src/models/kinds-data.ts';
import { MAX_PANEL_ENGINES, parseEngineRows } from '../../src/models/engine-rows.ts';

const ROW = { name: 'a', kind: 'openai-compatible', model: 'm', url: 'https://engine.example/v1', usd_per_run: 0.5 };
const PLATFORM = { name: 'p', kind: 'workers-ai', model: '@cf/m', usd_per_run: 0.1 };
const read = (rows: unknown) => parseEngineRows(typeof rows === 'string' ? rows : JSON.stringify(rows));

describe('the rows of ANSWER_ENGINES', () => {
  test('are read with what is usual where they say nothing', () => {
    expect(read([ROW])).toEqual({ ok: true, rows: [{ ...ROW, max_tokens: 1500 }] });
  });

  test('are at most eight', () => {
    const rows = Array.from({ length: MAX_PANEL_ENGINES }, (_, at) => ({ ...ROW, name: `a${at}` }));
    expect(read(rows).ok).toBe(true);
    expect(read([...rows, ROW])).toEqual({ ok: false, detail: 'ANSWER_ENGINES: it has not 1 to 8 rows' });
  });

  test('send one key to one host only', () => {
    const key = { key_secret: 'ANSWER_KEY_OPENAI' };
    const usual = { name: 'gpt', kind: 'openai', model: 'm', usd_per_run: 1, ...key };
    const faultsOf = (other: object) => read([usual, { ...usual, name: 'b', ...other }]);
    const refused = 'ANSWER_ENGINES: row 2, key_secret: row 1 sends it to another host';
    expect(faultsOf({ model: 'n' }).ok).toBe(true);
    expect(faultsOf({ url: 'https://api.openai.com/v1/responses' }).ok).toBe(true);
    expect(faultsOf({ kind: 'anthropic' })).toEqual({ ok: false, detail: refused });
    expect(faultsOf({ kind: 'openai-compatible', url: ROW.url })).toEqual({ ok: false, detail: refused });
    expect(faultsOf({ kind: 'anthropic', key_secret: 'ANSWER_KEY_ANTHROPIC' }).ok).toBe(true);
    expect(read([ROW, { ...ROW, name: 'b', url: 'https://other.example/v1' }]).ok).toBe(true);
  });
});

test.each<[unknown, string]>([
  ['', 'it is no JSON list'],
  ['{}', 'it is no JSON list'],
  ['null', 'it is no JSON list'],
  ['[]', 'it has not 1 to 8 rows'],
  [`[${' '.repeat(16_384)}]`, 'it has over 16384 characters'],
  [['a'], 'row 1 is no object'],
  [[null], 'row 1 is no object'],
  [[{ ...ROW, key: 'sk-secret' }], 'row 1, key: a key is never in the list; name its secret variable in key_secret'],
  [[{ ...ROW, colour: 'sk-secret' }], 'row 1 has a field that rows do not have'],
  [[ROW, { ...ROW, name: 'B!' }], 'row 2, name: it is 1 to 40 of a-z, 0-9 and - between them'],
  [[ROW, { ...ROW, name: 'x'.repeat(41) }], 'row 2, name: it is 1 to 40 of a-z, 0-9 and - between them'],
  [[ROW, ROW], 'row 2, name: an earlier row has it'],
  [[{ ...ROW, name: undefined }], 'row 1, name: it is missing, or no text'],
  [[{ ...ROW, kind: 7 }], 'row 1, kind: it is missing, or no text'],
  [[{ ...ROW, usd_per_run: undefined }], 'row 1, usd_per_run: it is missing, or no number'],
  [[{ ...ROW, usd_per_run: '0.5' }], 'row 1, usd_per_run: it is missing, or no number'],
  [[{ ...ROW, usd_per_run: 0 }], 'row 1, usd_per_run: it is not above 0'],
  [[{ ...ROW, usd_per_run: 101 }], 'row 1, usd_per_run: it is above 100'],
  [[{ ...ROW, url: 'ftp://engine.example' }], 'row 1, url: it is no http(s) address'],
  [[{ ...ROW, url: undefined }], 'row 1, url: it is missing, and this kind needs one'],
  [[{ ...ROW, model: '' }], 'row 1, model: it is empty'],
  [[{ ...ROW, max_tokens: 1199 }], 'row 1, max_tokens: it is below 1200'],
  [[{ ...ROW, max_tokens: 100_001 }], 'row 1, max_tokens: it is above 100000'],
  [[{ ...ROW, max_tokens: 1200.5 }], 'row 1, max_tokens: it is no whole number'],
  [[{ ...ROW, web_search: 'yes' }], 'row 1, web_search: it is neither true nor false'],
  [[{ ...ROW, country: 'de' }], 'row 1, country: it is no country code of two capital letters, such as DE'],
  [[{ ...ROW, country: 'DE' }], 'row 1, country: this kind takes none'],
  [[{ ...PLATFORM, web_search: true }], 'row 1, web_search: this kind cannot search the web'],
  [[{ ...PLATFORM, url: ROW.url }], 'row 1, url: this kind takes none'],
  [[{ ...PLATFORM, key_secret: 'ANSWER_KEY_A' }], 'row 1, key_secret: this kind takes no key'],
  [[{ ...ROW, key_secret: 'LEDGER_SECRET' }], `row 1, key_secret: it is none of ${engineKeyNames.join(', ')}`],
  [
    [
      { ...ROW, usd_per_run: 0 },
      { ...ROW, model: '' },
    ],
    'row 1, usd_per_run: it is not above 0; row 2, model: it is empty',
  ],
])('%j are refused by row and field, and no value is quoted', (rows, detail) => {
  expect(read(rows)).toEqual({ ok: false, detail: `ANSWER_ENGINES: ${detail}` });
});
