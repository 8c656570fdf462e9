import { describe, expect, test } from 'vitest';
import { aiAgents } from '../../../src/audit/crawlers/facts/ai-agents-data.ts';
import { isCalendarDay } from '../../../src/lib/time.ts';
import { publishedLists } from '../../../src/traffic/ranges/agent-ranges-data.ts';
import { agentSources } from '../../../src/traffic/ranges/agent-sources-data.ts';
import { compileRanges } from '../../../src/traffic/ranges/compile-ranges.ts';
import { readPrefixes } from '../../../src/traffic/ranges/read-published-list.ts';
import { RANGES_DATE, shippedRanges, withNewerRanges } from '../../../src/traffic/ranges/shipped-ranges.ts';
import { verifyAddress } from '../../../src/traffic/ranges/verify.ts';

const table = compileRanges(shippedRanges);

describe('the shipped lists', () => {
  test.each(publishedLists.map((list) => [list.source, list] as const))('%s is a whole row', (source, list) => {
    expect(source).toMatch(/^https:\/\//);
    expect(list.copy).toMatch(/^$|^[\w.-]+\/[\w.-]+ \S+ [\da-f]{40}$/);
    expect(isCalendarDay(list.date)).toBe(true);
    expect(isCalendarDay(list.read)).toBe(true);
    expect(list.date <= list.read).toBe(true);
    expect(readPrefixes(list.prefixes.trim().split(/\s+/), list.date)).toEqual({
      ok: true,
      date: list.date,
      prefixes: list.prefixes.trim().split(/\s+/),
    });
  });

  test('belong to a source each, and each source has tokens of the roster and the owner of the roster', () => {
    const lists = agentSources.map(({ list }) => list);
    expect(new Set(lists).size).toBe(lists.length);
    expect(publishedLists.map(({ source }) => source)).toEqual(lists);
    const tokens = agentSources.flatMap((source) => source.tokens);
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const { owner, tokens: named } of agentSources)
      for (const token of named) expect(aiAgents.find((agent) => agent.token === token)?.owner).toBe(owner);
  });

  test('are at the address that the roster names', () => {
    for (const { tokens, list } of agentSources)
      for (const { ipList } of aiAgents.filter(({ token }) => tokens.includes(token)))
        expect(ipList ?? list).toBe(list);
  });

  test('have a day', () => {
    expect(publishedLists.map(({ read }) => read)).toContain(RANGES_DATE);
  });
});

describe('a visitor by the shipped lists', () => {
  test.each([
    ['Googlebot', '66.249.66.1', 'verified'],
    ['Googlebot', '2001:4860:4801:10::1', 'verified'],
    ['Googlebot', '203.0.113.9', 'pretended'],
    ['GPTBot', '132.196.86.7', 'verified'],
    ['GPTBot', '::ffff:132.196.86.7', 'verified'],
    ['GPTBot', '104.210.139.193', 'claimed'],
    ['GPTBot', '66.249.66.1', 'pretended'],
    ['ChatGPT-User', '104.210.139.193', 'verified'],
    ['ClaudeBot', '216.73.216.4', 'verified'],
    ['Bingbot', '157.55.39.255', 'verified'],
    ['Bingbot', '157.55.40.0', 'pretended'],
    ['CCBot', '2600:1f28:365:8000::1', 'verified'],
    ['Bytespider', '66.249.66.1', 'claimed'],
    ['Meta-ExternalAgent', '203.0.113.9', 'claimed'],
    ['Googlebot', '10.1.2.3', 'claimed'],
    ['Googlebot', '-', 'claimed'],
  ])('%s from %s: %s', (token, address, verdict) => {
    expect(verifyAddress(table, token, address)).toBe(verdict);
  });
});

test('newer rows take the place of the shipped ones, token by token', () => {
  const newer = [
    { owner: 'Anthropic', tokens: ['ClaudeBot'], source: 'file', date: '', prefixes: ['198.51.100.0/24'] },
  ];
  const replaced = compileRanges(withNewerRanges(shippedRanges, newer));
  expect(verifyAddress(replaced, 'ClaudeBot', '198.51.100.1')).toBe('verified');
  expect(verifyAddress(replaced, 'ClaudeBot', '203.0.113.1')).toBe('pretended');
  expect(verifyAddress(replaced, 'Claude-User', '216.73.216.4')).toBe('verified');
  expect(verifyAddress(replaced, 'Claude-User', '203.0.113.1')).toBe('pretended');
});
