import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_LIST_PREFIXES } from '../../../src/traffic/ranges/read-published-list.ts';
import {
  MAX_FILE_LISTS,
  MAX_RANGES_FILE_BYTES,
  readRangesFile,
  readRangesText,
} from '../../../src/traffic/ranges/read-ranges-file.ts';

const data = join(import.meta.dirname, '../../data/traffic/ranges');
const recorded = (name: string): unknown => JSON.parse(readFileSync(join(data, name), 'utf8'));
const listOf = (...prefixes: unknown[]): object => ({ creationTime: '2026-08-18T23:56:36Z', prefixes });

test('lists as their owners publish them, under the token of each agent, whatever its case', () => {
  const file = { perplexitybot: recorded('perplexitybot.json'), CCBot: recorded('ccbot.json') };
  expect(readRangesFile(file)).toEqual({
    ok: true,
    rows: [
      {
        owner: 'Perplexity',
        tokens: ['PerplexityBot'],
        source: 'https://www.perplexity.com/perplexitybot.json',
        date: '2025-02-07',
        prefixes: [
          '3.211.124.183',
          '3.222.232.239',
          '3.224.62.45',
          '3.231.139.107',
          '18.97.1.228/30',
          '18.97.9.96/29',
          '18.210.92.235',
          '107.20.236.150',
        ],
      },
      {
        owner: 'Common Crawl',
        tokens: ['CCBot'],
        source: 'https://index.commoncrawl.org/ccbot.json',
        date: '2026-08-11',
        prefixes: ['3.41.188.32/29', '18.97.9.168/29', '18.97.14.80/29', '18.97.14.88/30', '2600:1f28:365:8000::/56'],
      },
    ],
  });
});

test('the form of `npm run ranges`, with several tokens for a list', () => {
  const row = { tokens: ['ClaudeBot', 'Claude-User'], source: 'https://owner.test/', date: '2026-08-18' };
  expect(readRangesFile({ ranges: [{ ...row, prefixes: ['216.73.216.0/22', '16.58.26.69'] }] })).toEqual({
    ok: true,
    rows: [{ ...row, owner: 'Anthropic', prefixes: ['16.58.26.69', '216.73.216.0/22'] }],
  });
});

describe('a file that is refused', () => {
  test.each<[string, unknown, string]>([
    ['no object', [], 'not_a_file'],
    ['nothing in it', {}, 'empty_list'],
    ['an unknown agent', { GptBott: listOf({ ipv4Prefix: '1.2.3.0/24' }) }, 'unknown_token'],
    ['no list', { GPTBot: { prefixes: 'all' } }, 'not_a_list'],
    ['an entry without a prefix', { GPTBot: listOf({ service: 'x' }) }, 'not_a_list'],
    ['an empty list', { GPTBot: listOf() }, 'empty_list'],
    ['a name for a prefix', { GPTBot: listOf({ ipv4Prefix: 'crawl.example' }) }, 'bad_prefix'],
    ['a wide IPv4 block', { GPTBot: listOf({ ipv4Prefix: '0.0.0.0/7' }) }, 'prefix_too_wide'],
    ['a wide IPv6 block', { GPTBot: listOf({ ipv6Prefix: '2000::/3' }) }, 'prefix_too_wide'],
    [
      'our form without tokens',
      { ranges: [{ tokens: [], source: '', date: '', prefixes: ['1.2.3.4'] }] },
      'not_a_file',
    ],
    ['our form with no rows', { ranges: [] }, 'empty_list'],
    [
      'our form with an unknown agent',
      { ranges: [{ tokens: ['GPTBot', 'Nobot'], source: '', date: '', prefixes: ['1.2.3.4'] }] },
      'unknown_token',
    ],
  ])('%s', (_what, json, reason) => {
    expect(readRangesFile(json)).toMatchObject({ ok: false, reason });
  });

  test('more prefixes or lists than are read', () => {
    const many = Array.from({ length: MAX_LIST_PREFIXES + 1 }, () => ({ ipv4Prefix: '1.2.3.4' }));
    expect(readRangesFile({ GPTBot: listOf(...many) })).toMatchObject({ reason: 'too_many_prefixes' });
    const lists = Array.from({ length: MAX_FILE_LISTS + 1 }, (_, index) => [`Bot${index}`, listOf()]);
    expect(readRangesFile(Object.fromEntries(lists))).toMatchObject({ reason: 'too_many_lists' });
  });

  test('text that is no JSON, or too long; the detail names the token and the prefix', () => {
    expect(readRangesText('{"GPTBot":')).toMatchObject({ reason: 'not_json' });
    expect(readRangesText(' '.repeat(MAX_RANGES_FILE_BYTES + 1))).toMatchObject({ reason: 'too_large' });
    const { detail } = readRangesText(JSON.stringify({ gptbot: listOf({ ipv4Prefix: '<b>' }) })) as { detail: string };
    expect(detail).toBe('GPTBot: "<b>" is neither a CIDR block nor an address');
  });
});
