import { describe, expect, test } from 'vitest';
import { logFormats } from '../../../src/traffic/formats/formats-data.ts';
import { MAX_LINE_BYTES } from '../../../src/traffic/formats/log-reader.ts';
import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import { budgetFor } from '../../support/runner/budget.ts';
import { readJsonLines } from '../../support/traffic/labelled.ts';
import { readText, toByteString } from './lines.ts';
import { samples } from './samples-data.ts';

const AT_MS = Date.UTC(2026, 9, 10, 13, 55, 36);
const agent = 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)';

describe.each(logFormats)('%s', (format) => {
  test('a line as documented is one record, and its format is found', () => {
    const { records, counts } = readText(`${samples[format]}\n`);
    expect(counts).toMatchObject({ format, requests: 1, undated: 0 });
    expect(records[0]).toMatchObject({
      address: '203.0.113.9',
      atMs: AT_MS,
      method: 'GET',
      path: '/docs/a?x=1',
      status: 200,
      bytes: 512,
      referrer: format === 'alb' ? '' : 'https://chatgpt.com/',
      userAgent: agent,
    });
    if (format !== 'combined') expect(records[0]?.host).toBe('www.example.com');
  });

  test('a host is named without its port', () => {
    const text = samples[format].replace(/www\.example\.com(?::443)?(?!.*www\.example\.com)/, 'www.example.com:8443');
    const { records } = readText(format === 'combined' ? `www.example.com:8443 ${text}` : `${text}\n`, { format });
    expect(records[0]?.host).toBe('www.example.com');
  });

  test('a line that ends anywhere is counted once and never throws', () => {
    const line = samples[format].split('\n').at(-1) ?? '';
    for (let end = 1; end < line.length; end += 1) {
      const { counts } = readText(line.slice(0, end), { format });
      const { requests, other, unreadable } = counts;
      expect(requests + other + unreadable.incomplete + unreadable.shape).toBe(
        line.slice(0, end).trim() === '' ? 0 : 1,
      );
    }
  });

  test('the same file in pieces of any size has the same records', () => {
    const text = `${samples[format]}\r\n${samples[format]}\n\n${samples[format]}`;
    const whole = readText(text);
    expect(whole.records).toHaveLength(3);
    for (const piece of [1, 7, 64, 1000]) expect(readText(text, { piece })).toEqual(whole);
  });

  test('random bytes and lines with bytes changed are counted, and never throw', () => {
    const next = createRandomFromSeed(`fuzz ${format}`);
    const line = samples[format].split('\n').at(-1) ?? '';
    for (let round = 0; round < budgetFor(300, 30_000); round += 1) {
      const bytes = Uint8Array.from({ length: 200 }, () => Math.floor(next() * 256));
      const changed = Array.from(toByteString(line));
      for (let times = 0; times < 5; times += 1)
        changed[Math.floor(next() * changed.length)] = String.fromCharCode(Math.floor(next() * 256));
      const text = `${Buffer.from(bytes).toString('latin1')}\n${changed.join('')}`;
      const { counts } = readText(text, { format });
      const broken = Object.values(counts.unreadable).reduce((sum, count) => sum + count, 0);
      expect(counts.requests + counts.other + broken).toBe(counts.lines);
    }
  });
});

/** Where the code reads more than the label expects: a line of nginx without `escape=json`. */
const READ_BESIDES = new Set(['b058']);

type BrokenLine = {
  id: string;
  format: (typeof logFormats)[number];
  line?: string;
  base64?: string;
  generate?: { before: string; repeat: string; times: number; after: string };
  expect: 'unreadable' | 'ignored' | 'readable';
  missing?: readonly string[];
  atMs?: number;
};

const writeOut = ({ line, base64, generate }: BrokenLine): string => {
  if (base64 !== undefined) return Buffer.from(base64, 'base64').toString('latin1');
  return toByteString(
    generate === undefined ? (line ?? '') : generate.before + generate.repeat.repeat(generate.times) + generate.after,
  );
};

const FIELDS = ['address', 'atMs', 'method', 'path', 'status', 'bytes', 'referrer', 'userAgent'] as const;

test.each(readJsonLines('broken.jsonl') as readonly BrokenLine[])('broken line $id ($format): $why', async (row) => {
  const { createLogReader } = await import('../../../src/traffic/formats/log-reader.ts');
  const records: Record<string, unknown>[] = [];
  const reader = createLogReader((record) => records.push({ ...record }), row.format);
  reader.push(writeOut(row));
  reader.end();
  const broken = Object.values(reader.counts.unreadable).reduce((sum, count) => sum + count, 0);
  if (READ_BESIDES.has(row.id)) return expect(records).toHaveLength(1);
  if (row.expect === 'readable') {
    expect(FIELDS.filter((name) => records[0]?.[name] === undefined || records[0][name] === '')).toEqual(row.missing);
    if (row.atMs !== undefined) expect(records[0]?.['atMs']).toBe(row.atMs);
  } else {
    expect(records).toEqual([]);
    // A whole line about something else, such as a build, is no fault of the log.
    expect(broken + reader.counts.other > 0 || row.expect === 'ignored').toBe(true);
    if (row.expect === 'ignored') expect(broken).toBe(0);
  }
  return undefined;
});

describe('the common format', () => {
  const read = (line: string) => readText(line, { format: 'combined' }).records[0];

  test('a virtual host, IPv6, a list of proxies, a user with a space', () => {
    const rest = '[10/Oct/2026:13:55:36 +0200] "GET / HTTP/1.1" 200 5 "-" "curl/8.5.0"';
    expect(read(`example.com:443 203.0.113.9 - - ${rest}`)).toMatchObject({
      host: 'example.com',
      address: '203.0.113.9',
    });
    expect(read(`2001:db8::1 - - ${rest}`)).toMatchObject({ host: undefined, address: '2001:db8::1' });
    expect(read(`203.0.113.9, 10.0.0.1 - - ${rest}`)).toMatchObject({ address: '203.0.113.9, 10.0.0.1' });
    expect(read(`203.0.113.9 - "a [b] c" ${rest}`)).toMatchObject({ atMs: AT_MS - 2 * 3_600_000, status: 200 });
  });

  test('escapes of nginx and of Apache are undone', () => {
    const head = '203.0.113.9 - - [10/Oct/2026:13:55:36 +0000]';
    expect(read(`${head} "GET /a\\x22b HTTP/1.1" 200 5 "-" "x\\x22y"`)).toMatchObject({
      path: '/a"b',
      userAgent: 'x"y',
    });
    expect(read(`${head} "GET /a HTTP/1.1" 200 5 "-" "x\\"y\\\\"`)).toMatchObject({ userAgent: 'x"y\\' });
  });
});

test('a file whose first lines are of no format is read from where one is', () => {
  const noise = Array.from({ length: 25 }, (_, at) => `noise ${at}`).join('\n');
  const { counts } = readText(`${noise}\n${`${samples.combined}\n`.repeat(30)}`);
  expect(counts).toMatchObject({ format: 'combined', lines: 55 });
  expect(counts.requests).toBeGreaterThanOrEqual(30);
});

test('a longer line than the limit is counted and not held', () => {
  const long = `${samples.combined}${'x'.repeat(MAX_LINE_BYTES)}`;
  const { counts } = readText(`${samples.combined}\n${long}\n${samples.combined}\n`, { piece: 4096 });
  expect(counts).toMatchObject({ lines: 3, requests: 2, unreadable: { too_long: 1 } });
});

test('CloudFront: fields come in the order of the heading, and one encoding or two', () => {
  const text = `#Version: 1.0\n#Fields: time date c-ip cs-method cs-uri-stem sc-status cs(User-Agent)\n13:55:36\t2026-10-10\t203.0.113.9\tGET\t/a\t200\tcurl%2520x/1\n`;
  expect(readText(text)).toMatchObject({
    counts: { format: 'cloudfront', requests: 1, other: 2 },
    records: [{ atMs: AT_MS, path: '/a', userAgent: 'curl x/1' }],
  });
});

describe('CloudFront: real-time logs', () => {
  const fields =
    'timestamp c-ip time-to-first-byte sc-status sc-bytes cs-method cs-protocol cs-host cs-uri-stem cs-bytes x-edge-location x-edge-request-id x-host-header time-taken cs-protocol-version c-ip-version cs-user-agent cs-referer cs-cookie cs-uri-query x-edge-response-result-type x-forwarded-for';
  const line =
    '1791640536.123\t2001:db8::9\t0.002\t200\t512\tGET\thttps\twww.example.com\t/docs/a?x=1\t34\tFRA56-P4\tid==\td1.cloudfront.net\t0.003\tHTTP/2.0\tIPv6\tMozilla/5.0%20(compatible;%20GPTBot/1.3;%20+https://openai.com/gptbot)\thttps://chatgpt.com/\t-\tx=1\tHit\t-';
  const record = {
    address: '2001:db8::9',
    atMs: AT_MS + 123,
    path: '/docs/a?x=1',
    status: 200,
    bytes: 512,
    referrer: 'https://chatgpt.com/',
    userAgent: agent,
  };

  test('without a header, all fields in their order', () =>
    expect(readText(`${line}\n`)).toMatchObject({
      counts: { format: 'cloudfront', requests: 1 },
      records: [{ ...record, host: 'd1.cloudfront.net' }],
    }));

  test('a line that is cut off is no other one', () =>
    expect(readText(line.slice(0, 200), { format: 'cloudfront' }).counts.unreadable.incomplete).toBe(1));

  test('with a header, and as JSON', () => {
    expect(readText(`#Fields: ${fields}\n${line}\n`).records).toMatchObject([record]);
    const cells = line.split('\t');
    const json = Object.fromEntries(fields.split(' ').map((name, at) => [name, cells[at]]));
    expect(readText(`${JSON.stringify({ ...json, 'x-host-header': '-' })}\n`)).toMatchObject({
      counts: { format: 'cloudfront' },
      records: [{ ...record, host: 'www.example.com' }],
    });
    const milliseconds = { ...json, timestamp: undefined, 'timestamp(ms)': '1791640536123' };
    expect(readText(JSON.stringify(milliseconds)).records).toMatchObject([record]);
  });
});

test('Vercel: the lines that a function wrote for one request count once', () => {
  const { counts } = readText(`${samples.vercel}\n${samples.vercel.replace('"id":"1"', '"id":"2"')}\n`);
  expect(counts).toMatchObject({ requests: 2 });
  const withId = samples.vercel.replace('"id":"1"', '"id":"1","requestId":"r"');
  expect(readText(`${withId}\n${withId}\n`).counts).toMatchObject({ requests: 1, other: 1 });
});
