import { describe, expect, test } from 'vitest';
import { readAssistantAccess } from '../../../../src/audit/crawlers/checks/assistants.ts';
import { listSearchCrawlers, listUserFetchers } from '../../../../src/audit/crawlers/facts/ai-agents.ts';
import { ASSISTANT_NAMES } from '../../../../src/audit/crawlers/facts/assistants-data.ts';
import { auditSite } from '../../../../src/audit/core/report.ts';
import { LANGUAGES } from '../../../../src/web/language/language.ts';
import { describeAccess } from '../../../../src/web/audit/assistants.tsx';
import { CLOCK_MS } from '../../../support/audit/audit.ts';
import { html, SITE, siteFetch, text } from '../../../support/audit/site-fetch.ts';

const PAGE = html(
  `<!doctype html><html lang="en"><head><title>Desk</title></head><body><main><h1>Desk</h1><p>${'We plane and oil each desk by hand. '.repeat(40)}</p></main></body></html>`,
);

type Pages = Parameters<typeof siteFetch>[0];

/** Who can read a site, as a whole audit of it shows. */
async function readAccess(pages: Pages, capability?: 'check_mcp') {
  const scope = capability === undefined ? {} : { capability };
  const report = await auditSite(`${SITE}/`, { fetch: siteFetch(pages), clockMs: CLOCK_MS, ...scope });
  if (!report.ok) throw new Error(report.reason);
  const checks = 'checks' in report ? report.checks : Object.values(report.scores).flatMap(({ checks: of }) => of);
  return readAssistantAccess(checks);
}

const findState = async (pages: Pages, name: string) =>
  (await readAccess(pages))?.assistants.find((one) => one.name === name);

const robots = (rules: string): Pages => ({ '/': PAGE, '/robots.txt': text(rules) });

test('every owner of agents that answers depend on has a product, and none is without agents', () => {
  const owners = new Set([...listSearchCrawlers(), ...listUserFetchers()].map(({ owner }) => owner));
  expect(Object.keys(ASSISTANT_NAMES).toSorted()).toEqual([...owners].toSorted());
});

test('a site that lets everyone in is read by ChatGPT, and says so', async () => {
  const access = await readAccess({ '/': PAGE });
  expect(access?.assistants.find(({ name }) => name === 'ChatGPT')).toEqual({ name: 'ChatGPT', state: 'allowed' });
  expect(access && describeAccess(access, 'en')[0]).toMatch(/^ChatGPT, Claude, .*can read the start page\.$/);
});

test('an assistant that robots.txt keeps out is refused for that reason', async () => {
  const found = robots('User-agent: PerplexityBot\nDisallow: /\n\nUser-agent: Perplexity-User\nDisallow: /\n');
  expect(await findState(found, 'Perplexity')).toMatchObject({ cause: 'robots' });
  expect(await findState(found, 'Claude')).toEqual({ name: 'Claude', state: 'allowed' });
});

test('an assistant whose search alone is kept out is let in partly', async () => {
  const found = robots('User-agent: Claude-SearchBot\nDisallow: /\n');
  expect(await findState(found, 'Claude')).toEqual({ name: 'Claude', state: 'partly', cause: 'robots' });
});

test('a robots.txt that shuts everyone out refuses all that obey it', async () => {
  const access = await readAccess(robots('User-agent: *\nDisallow: /\n'));
  expect(access?.assistants.find(({ name }) => name === 'Claude')).toEqual({
    name: 'Claude',
    state: 'refused',
    cause: 'robots',
  });
  expect(access?.assistants.filter(({ state }) => state === 'allowed')).toEqual([]);
});

test('checks of no crawler access answer nothing', async () => {
  expect(await readAccess({ '/': PAGE }, 'check_mcp')).toBeUndefined();
});

const check = (id: string, status: 'pass' | 'fail' | 'partial' | 'unknown', note = '') => ({
  id,
  status,
  note,
  evidence: [],
});
const open = [check('aeo.robots.ai-search-bots', 'pass'), check('aeo.robots.user-fetchers', 'pass')];

test.each([
  ['no answer to its name', [...open, check('aeo.reach.edge-policy', 'unknown')], 'unanswered'],
  [
    'every reader refused',
    [...open, check('aeo.reach.edge-policy', 'fail', 'Every reader that we came as is refused, a browser included.')],
    'every_reader_refused',
  ],
  [
    'an error page',
    [...open, check('aeo.reach.edge-policy', 'pass'), check('aeo.reach.http-200', 'fail')],
    'error_page',
  ],
  ['a login', [...open, check('aeo.reach.edge-policy', 'pass'), check('aeo.reach.no-interstitial', 'fail')], 'wall'],
  [
    'an unread robots.txt',
    [
      check('aeo.robots.ai-search-bots', 'unknown'),
      check('aeo.robots.user-fetchers', 'unknown'),
      check('aeo.reach.edge-policy', 'pass'),
    ],
    'robots_unread',
  ],
] as const)('%s is not established, and never a yes', (_name, checks, cause) => {
  const claude = readAssistantAccess(checks)?.assistants.find(({ name }) => name === 'Claude');
  expect(claude).toEqual({ name: 'Claude', state: 'unknown', cause });
});

test('a refusal at the edge is one of the server', () => {
  const note = 'Shut out while a browser is let in: search crawlers OAI-SearchBot; user fetchers ChatGPT-User.';
  const access = readAssistantAccess([...open, check('aeo.reach.edge-policy', 'partial', note)]);
  expect(access?.assistants.find(({ name }) => name === 'ChatGPT')).toEqual({
    name: 'ChatGPT',
    state: 'refused',
    cause: 'server',
  });
  expect(access?.assistants.find(({ name }) => name === 'Claude')?.state).toBe('allowed');
});

describe.each(LANGUAGES)('in %s', (language) => {
  test('every state has its sentence', () => {
    const assistants = [
      { name: 'A', state: 'allowed' },
      { name: 'B', state: 'partly', cause: 'robots' },
      { name: 'C', state: 'refused', cause: 'server' },
      { name: 'D', state: 'unknown', cause: 'wall' },
    ] as const;
    const said = describeAccess({ assistants, isBlank: false }, language);
    expect(said).toHaveLength(4);
    for (const [index, { name }] of assistants.entries()) expect(said[index]).toContain(name);
    expect(said.join(' ')).not.toMatch(/undefined|\[object/);
    expect(describeAccess({ assistants: assistants.slice(0, 1), isBlank: true }, language)).not.toEqual([said[0]]);
  });
});
