import { describe, expect, test } from 'vitest';
import { aiAgents } from '../../../../src/audit/crawlers/facts/ai-agents-data.ts';
import {
  listAgentsByClass,
  listSearchCrawlers,
  listUserFetchers,
  parityAgents,
} from '../../../../src/audit/crawlers/facts/ai-agents.ts';

const byToken = new Map(aiAgents.map((agent) => [agent.token, agent]));

describe('the roster of AI agents', () => {
  test.each(aiAgents.map((agent) => [agent.token, agent] as const))('%s is a whole row', (token, agent) => {
    expect(token).toMatch(/^[A-Za-z][A-Za-z_-]{2,39}$/);
    expect(agent.owner.length).toBeGreaterThan(1);
    expect(agent.says).toMatch(/\w/);
    expect(agent.blocking).toMatch(/\.$/);
    expect(agent.source).toMatch(/^https:\/\//);
    expect(agent.ipList ?? agent.source).toMatch(/^https:\/\//);
    expect(agent.read).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(new Date(agent.read).toISOString().slice(0, 10)).toBe(agent.read);
  });

  test('no token and no User-Agent stands there twice, whatever its case', () => {
    const tokens = aiAgents.map(({ token }) => token.toLowerCase());
    expect(new Set(tokens).size).toBe(tokens.length);
    const strings = aiAgents.flatMap(({ userAgent }) => userAgent ?? []);
    expect(new Set(strings).size).toBe(strings.length);
  });

  test('a User-Agent names its own token and that of no other row', () => {
    for (const { token, userAgent = token } of aiAgents) {
      const named = aiAgents.filter((other) => new RegExp(`\\b${other.token}\\b(?!-)`, 'i').test(userAgent));
      expect(named.map((one) => one.token)).toEqual([token]);
    }
  });

  test('a User-Agent can stand in single quotes of a command', () => {
    for (const { userAgent = '' } of aiAgents) expect(userAgent).not.toMatch(/['\\\r\n]/);
  });

  test('an agent that no vendor documents costs no points', () => {
    const scored = [...listSearchCrawlers(), ...listUserFetchers()];
    expect(scored.filter(({ basis }) => basis === 'listed')).toEqual([]);
  });

  test.each([
    ['MistralAI-User', 'user'],
    ['MistralAI-Index', 'search'],
    ['MistralAI-Training', 'training'],
    ['DuckAssistBot', 'user'],
    ['Amzn-SearchBot', 'search'],
    ['Amzn-User', 'user'],
    ['Meta-WebIndexer', 'search'],
    ['Meta-ExternalFetcher', 'user'],
    ['Googlebot', 'multi-purpose'],
    ['Bingbot', 'multi-purpose'],
    ['Applebot', 'multi-purpose'],
  ])('%s is of class %s, as its owner says', (token, name) => {
    expect(byToken.get(token)?.class).toBe(name);
    expect(listAgentsByClass(byToken.get(token)?.class ?? 'search').map((agent) => agent.token)).toContain(token);
  });

  test('the three fetchers whose whole page is compared are rows of it, with the same User-Agent', () => {
    for (const { name, userAgent } of parityAgents.slice(1)) expect(byToken.get(name)?.userAgent).toBe(userAgent);
  });
});
