import { describe, expect, test } from 'vitest';
import { createFilterMatcher, parseFilter } from '../../../../src/management/core/filter/index.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';

const problemOf = (text: string, profile: 'logging' | 'aip' = 'logging'): string => {
  const parsed = parseFilter(text, { profile });
  return parsed.ok ? 'accepted' : `${String(parsed.at)}: ${parsed.message}`;
};
/** Whether bare words are found: an entry "has" the words given. */
const hasWords = (filter: string, words: string): boolean => {
  const parsed = parseFilter(filter, { profile: 'aip' });
  if (!parsed.ok) throw new Error(parsed.message);
  const subject: JsonObject = { words: words.split(' ') };
  return createFilterMatcher(parsed.filter)(subject);
};

describe('the grammar', () => {
  test.each([
    ['NOT binds most, then OR, then AND', '"a" OR NOT "b" AND NOT "c" OR "d"', 'b c', false],
    ['... so that this is (a OR NOT b) AND (NOT c OR d)', '"a" OR NOT "b" AND NOT "c" OR "d"', 'b d a', true],
    ['AND may be left out', 'New York Giants', 'new york giants', true],
    ['... and all must hold', 'New York Giants', 'new york', false],
    ['OR binds more than a left out AND', 'New York Giants OR Yankees', 'new york yankees', true],
    ['... and does not reach over it', 'New York Giants OR Yankees', 'yankees', false],
    ['parentheses group', 'New York (Giants OR Yankees)', 'new york giants', true],
    ['AND and its absence are the same', 'a b AND c AND d', 'a b c d', true],
    ['parentheses around an AND change nothing', '(a b) AND c AND d', 'a b c', false],
    ['OR takes many', 'a OR b OR c', 'c', true],
    ['NOT takes a group', 'NOT (a OR b)', 'b', false],
    ['NOT twice is nothing', 'NOT NOT a', 'a', true],
    ['a minus is NOT', '-a', 'b', true],
    ['a minus before a group is NOT', '-(a OR b)', 'a', false],
    ['a minus before quotes is NOT', '-"a"', 'a', false],
    ['a minus before single quotes is NOT', "-'a'", 'a', false],
    ['words in small letters are values', 'a or b', 'a b', false],
    ['... that can be looked for', 'a or b', 'a or b', true],
    ['quoted operators are values', '"AND"', 'and', true],
    ['comments end with their line', '-- first\na -- b\n-- c\n', 'a', true],
    ['line ends are spaces', 'a\nb', 'a', false],
    ['two dashes in quotes are no comment', '"x -- y"', 'x', false],
  ])('%s: %s over the words "%s"', (_title, filter, words, expected) => {
    expect(hasWords(filter, words)).toBe(expected);
  });

  test.each(['', '   ', '\n\t', '-- only a comment', '-- one\n-- two'])(
    '%j has no expression and matches all',
    (text) => {
      expect(hasWords(text, '')).toBe(true);
    },
  );

  test.each([
    [String.raw`msg = 'hello'`, 'hello'],
    [String.raw`msg = "hello"`, 'hello'],
    [String.raw`msg = ""`, ''],
    [String.raw`msg = "\\\""`, String.raw`\"`],
    [String.raw`msg = "\\"`, '\\'],
    [String.raw`msg = "\377"`, 'ÿ'],
    [String.raw`msg = "\u263A\x41"`, '☺A'],
    [String.raw`msg = "\U0001F600"`, '😀'],
    [String.raw`msg = "\a\b\f\n\r\t\v\'\"\\\?"`, '\u0007\b\f\n\r\t\v\'"\\?'],
    [String.raw`msg = "\d\w"`, String.raw`\d\w`],
    [`msg = "[ 'hello' ]"`, "[ 'hello' ]"],
    ['msg = com.google', 'com.google'],
    ['msg = a/b-c@d*', 'a/b-c@d*'],
    ['msg = -2.4', '-2.4'],
    ['msg = (-2.4)', '-2.4'],
    ["msg = don't", "don't"],
  ])('%s means the text %j', (filter, expected) => {
    const parsed = parseFilter(filter, { profile: 'aip' });
    expect(parsed.ok && parsed.filter.expression).toMatchObject({ kind: 'compare', value: { text: expected } });
  });

  test.each([
    ['labels."k8s.io/x" = a', ['labels', 'k8s.io/x']],
    ['jsonPayload."foo.bar".baz:apple', ['jsonPayload', 'foo.bar', 'baz']],
    [String.raw`jsonPayload."\"foo\"":apple`, ['jsonPayload', '"foo"']],
    ['protoPayload.@type = a', ['protoPayload', '@type']],
    ['resource.labels.type_map.1.x = a', ['resource', 'labels', 'type_map', '1', 'x']],
    ['http_request.remote_ip = a', ['httpRequest', 'remoteIp']],
    ['JSON_PAYLOAD.End_Time = a', ['jsonPayload', 'End_Time']],
    ['-log_name = a', undefined],
  ])('%s names a field', (filter, path) => {
    const parsed = parseFilter(filter);
    const expression = parsed.ok ? parsed.filter.expression : undefined;
    expect(expression?.kind === 'compare' ? expression.field.path : undefined).toEqual(path);
  });
});

describe('what is no filter says why and where', () => {
  test.each([
    ['<', "0: Unparseable filter: syntax error at line 1, column 1, token '<'"],
    ['severity >', "10: Unparseable filter: syntax error at line 1, column 11, token ''"],
    ['severity = = ERROR', "11: Unparseable filter: syntax error at line 1, column 12, token '='"],
    ['insertId = abc:def', "14: Unparseable filter: syntax error at line 1, column 15, token ':'"],
    ['\n  insertId = abc:def', "17: Unparseable filter: syntax error at line 2, column 17, token ':'"],
    ['a AND', "5: Unparseable filter: syntax error at line 1, column 6, token ''"],
    ['AND a', "0: Unparseable filter: syntax error at line 1, column 1, token 'AND'"],
    ['a OR OR b', "5: Unparseable filter: syntax error at line 1, column 6, token 'OR'"],
    ['severity = AND', "11: Unparseable filter: syntax error at line 1, column 12, token 'AND'"],
    ['(a', "2: Unparseable filter: syntax error at line 1, column 3, token ''"],
    ['a)', "1: Unparseable filter: syntax error at line 1, column 2, token ')'"],
    ['()', "1: Unparseable filter: syntax error at line 1, column 2, token ')'"],
    ['severity = ()', "12: Unparseable filter: syntax error at line 1, column 13, token ')'"],
    ['severity = (ERROR = 1)', "18: Unparseable filter: syntax error at line 1, column 19, token '='"],
    ['("a") = 1', "6: Unparseable filter: syntax error at line 1, column 7, token '='"],
    ['a ! b', "2: Unparseable filter: syntax error at line 1, column 3, token '!'"],
    ['a, b', "1: Unparseable filter: syntax error at line 1, column 2, token ','"],
    ['foo\u0001bar', "3: Unparseable filter: syntax error at line 1, column 4, token '\u0001'"],
    ['insertId = "foo', '11: Unparseable filter: unterminated string that starts at character 12'],
    [
      String.raw`insertId = "\UFFFFFFFF"`,
      String.raw`12: Unparseable filter: syntax error at line 1, column 13, token '\UFFFFFFFF'`,
    ],
    ...['2026-11-22T00:00:00', '2026-02-30', 'soon', ''].map((text) => [
      `severity=INFO timestamp>="${text}"`,
      `25: Unparseable filter: '${text}' is no instant: write it like "2026-01-02T03:04:05Z" or "2026-01-02"`,
    ]),
    [
      'NOT receiveTimestamp != (2026-01-02 OR x)',
      `39: Unparseable filter: 'x' is no instant: write it like "2026-01-02T03:04:05Z" or "2026-01-02"`,
    ],
    ['timestamp>=2026-11-22T00:00:00', "24: Unparseable filter: syntax error at line 1, column 25, token ':'"],
    ['timestamp>=2026-11-22T00:00:00Zulu', "24: Unparseable filter: syntax error at line 1, column 25, token ':'"],
    ['thud = 1', "0: Unparseable filter: Field not found: 'thud'"],
    ['operation.thud = 1', "0: Unparseable filter: Field not found: 'operation.thud'"],
    ['textPayload.thud = 1', "0: Unparseable filter: Field not found: 'textPayload.thud'"],
    ['"log" = 1', "0: Unparseable filter: Field not found: 'log'"],
    [
      'textPayload =~ "("',
      '15: Unparseable filter: invalid regular expression: error parsing regexp: missing closing ): `(`',
    ],
    [
      String.raw`textPayload =~ "(a)\\1"`,
      String.raw`15: Unparseable filter: invalid regular expression: error parsing regexp: invalid escape sequence: ` +
        '`\\1`',
    ],
    ['cast(timestamp, STRING, TIMEZONE("x")) =~ "a"', "0: Unparseable filter: the function 'cast' is not supported"],
    ['a REGEXP_EXTRACT(logName, "a") = b', "2: Unparseable filter: the function 'REGEXP_EXTRACT' is not supported"],
    ['regex(m.key, "x")', "0: Unparseable filter: unknown function 'regex'"],
    ['severity = max("x")', "11: Unparseable filter: the function 'max' is no value"],
    ['log_id()', "0: Unparseable filter: the function 'log_id' takes one argument"],
    ['log_id("a", "b")', "0: Unparseable filter: the function 'log_id' takes one argument"],
    ['log_id("a"', "10: Unparseable filter: syntax error at line 1, column 11, token ''"],
    ['source(buckets/b)', "7: Unparseable filter: 'buckets/b' is no resource that source() knows"],
    ['sample(insertId)', "0: Unparseable filter: the function 'sample' takes two arguments"],
    ['sample(insertId, 0)', '17: Unparseable filter: the fraction of sample() is greater than 0 and at most 1'],
    ['sample(insertId, 1.1)', '17: Unparseable filter: the fraction of sample() is greater than 0 and at most 1'],
    ['sample(insertId, "")', '17: Unparseable filter: the fraction of sample() is greater than 0 and at most 1'],
    ['sample(thud, 0.5)', "7: Unparseable filter: Field not found: 'thud'"],
    ['ip_in_net(jsonPayload.ip, "10.0.0.0/33")', "26: Unparseable filter: '10.0.0.0/33' is no IP address or range"],
    ['SEARCH()', "0: Unparseable filter: the function 'SEARCH' takes one or two arguments"],
    ['SEARCH(textPayload)', '7: Unparseable filter: the query of SEARCH() is a text in quotes'],
    ['SEARCH(" -- ")', '7: Unparseable filter: the query of SEARCH() has no words'],
  ])('%j', (filter, expected) => {
    expect(problemOf(filter)).toBe(expected);
  });

  test.each([
    ['a =~ b', "2: Unparseable filter: syntax error at line 1, column 3, token '=~'"],
    ['a !~ b', "2: Unparseable filter: syntax error at line 1, column 3, token '!~'"],
    ['log_id("a")', "0: Unparseable filter: unknown function 'log_id'"],
    ['time.now()', "0: Unparseable filter: unknown function 'time.now'"],
    ['type("Tracing")', '5: Unparseable filter: type() takes "Logging" or "OpsAnalytics"'],
    ['a <= cohort(request.user)', "5: Unparseable filter: the function 'cohort' is no value"],
    ['(-2.5) >= -2.4', "7: Unparseable filter: syntax error at line 1, column 8, token '>='"],
  ])('under AIP-160 %j', (filter, expected) => {
    expect(problemOf(filter, 'aip')).toBe(expected);
  });
});

describe('limits', () => {
  test.each([
    ['20,000 characters', 'x'.repeat(20_000), 'accepted'],
    ['20,001 characters', 'x'.repeat(20_001), '20000: Unparseable filter: a filter has at most 20000 characters'],
    ['100 parentheses', `${'('.repeat(100)}a${')'.repeat(100)}`, 'accepted'],
    [
      '101 parentheses',
      `${'('.repeat(101)}a${')'.repeat(101)}`,
      '101: Unparseable filter: a filter is nested at most 100 deep',
    ],
    [
      '1,000 parentheses',
      `${'('.repeat(1_000)}a${')'.repeat(1_000)}`,
      '101: Unparseable filter: a filter is nested at most 100 deep',
    ],
    ['19,999 open parentheses', '('.repeat(19_999), '101: Unparseable filter: a filter is nested at most 100 deep'],
    [
      '100,000 open parentheses',
      '('.repeat(100_000),
      '20000: Unparseable filter: a filter has at most 20000 characters',
    ],
    [
      '60 parentheses around 60 in a group',
      `${'('.repeat(60)}severity=${'('.repeat(60)}a`,
      '110: Unparseable filter: a filter is nested at most 100 deep',
    ],
    ['4,999 NOTs', `${'NOT '.repeat(4_999)}a`, 'accepted'],
    ['9,999 minuses', `${'- '.repeat(9_999)}a`, 'accepted'],
    ['1,000 comparisons', Array<string>(1_000).fill('trace=a').join('\n'), 'accepted'],
    [
      '1,001 comparisons',
      Array<string>(1_001).fill('trace=a').join('\n'),
      '8006: Unparseable filter: a filter has at most 1000 comparisons',
    ],
    [
      '101 bare values',
      Array<string>(101).fill('a').join(' '),
      '200: Unparseable filter: a filter searches at most 100 times',
    ],
    [
      '21 patterns',
      `textPayload =~ (${Array<string>(21).fill('a').join(' ')})`,
      '56: Unparseable filter: a filter has at most 20 regular expressions',
    ],
    [
      'a pattern of 1,001 characters',
      `textPayload =~ "${'a'.repeat(1_001)}"`,
      '15: Unparseable filter: a regular expression has at most 1000 characters',
    ],
    [
      'a pattern that unfolds to more than 2,000 steps',
      'textPayload =~ "(a?){500}a{600}"',
      '15: Unparseable filter: the regular expression is too large',
    ],
    [
      'repeats of repeats',
      'textPayload =~ "((a{0,100}){0,100}){0,100}"',
      '15: Unparseable filter: invalid regular expression: error parsing regexp: invalid repeat count: `{0,100}`',
    ],
    [
      '101 parts of a field',
      `jsonPayload${'.a'.repeat(100)} = 1`,
      '0: Unparseable filter: a field has at most 100 parts',
    ],
  ])('%s', (_title, filter, expected) => {
    expect(problemOf(filter)).toBe(expected);
  });
});
