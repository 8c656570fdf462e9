import { expect, test } from 'vitest';
import { isTraceMatch, parseTraceTerms } from '../../../../../src/management/interfaces/tracing/v1/query.ts';
import type { V1Span } from '../../../../../src/management/interfaces/tracing/v1/spans.ts';

const SUMMARY = { rootName: '/index', durationNanos: 1_500_000_000 };
const SPANS: V1Span[] = [
  { name: '/index', spanId: '1', labels: { '/http/method': 'GET', '/http/url': 'https://a.test/x' } },
  { name: 'SELECT users', spanId: '2', labels: { rows: '12', 'a "b" \\ c:d': 'e f' } },
];

test.each([
  ['', true],
  ['   ', true],
  ['root:/ind', true],
  ['root:/index', true],
  ['/ind', true],
  ['root:index', false],
  ['+root:/ind', false],
  ['+root:/index', true],
  ['+/index', true],
  ['+/ind', false],
  ['"/index"', true],
  ['span:SEL', true],
  ['span:sel', false],
  ['+span:SELECT', false],
  ['+span:"SELECT users"', true],
  ['latency:1500', true],
  ['latency:1501', false],
  ['latency:1500ms', true],
  ['latency:1.5s', true],
  ['latency:2s', false],
  ['latency:1500000us', true],
  ['latency:1500000001ns', false],
  ['label:rows', true],
  ['label:row', false],
  ['rows:1', true],
  ['+rows:1', false],
  ['+rows:12', true],
  ['method:GET', true],
  ['/http/method:G', true],
  ['+method:G', false],
  ['url:"https://a.test"', true],
  ['url:https://a.test', true],
  ['"a \\"b\\" \\\\ c:d":"e f"', true],
  ['label:"a \\"b\\" \\\\ c:d"', true],
  ['rows:', true],
  ['root:/index span:SELECT rows:12 latency:1s', true],
  ['root:/index span:DELETE', false],
  // Each term by itself: of one trace, not of one span.
  ['span:/index rows:12', true],
  ['toString:x', false],
  ['label:toString', false],
])('%s fits: %s', (filter, fits) => {
  expect(isTraceMatch(parseTraceTerms(filter), SUMMARY, () => SPANS)).toBe(fits);
});

test('spans are read only where the root does not decide', () => {
  let reads = 0;
  const spans = (): V1Span[] => {
    reads += 1;
    return SPANS;
  };
  expect(isTraceMatch(parseTraceTerms('root:/index latency:1s'), SUMMARY, spans)).toBe(true);
  expect(isTraceMatch(parseTraceTerms('latency:9s span:SELECT rows:1'), SUMMARY, spans)).toBe(false);
  expect(reads).toBe(0);
  expect(isTraceMatch(parseTraceTerms('span:SELECT rows:1'), SUMMARY, spans)).toBe(true);
  expect(reads).toBe(1);
});

test.each([
  '+',
  ':',
  'a"b"',
  '"unclosed',
  'root:"unclosed',
  'latency:fast',
  'latency:1h',
  'latency:',
  '++a',
  '"a"b',
  'root:"a"b',
  'x'.repeat(20_001),
  'a '.repeat(51),
])('no filter: %.40s', (filter) => {
  expect(() => parseTraceTerms(filter)).toThrow(/^Invalid filter/);
});

test('a hostile text of the longest length is read or refused in linear time', () => {
  for (const part of ['"', '\\', '+', ':', '"\\', 'a:"', ' ', '""', 'a:'])
    expect(() => {
      try {
        parseTraceTerms(part.repeat(20_000 / part.length));
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('Invalid filter')) throw error;
      }
    }).not.toThrow();
});
