import { describe, expect, test } from 'vitest';
import { scoreNames } from '../../../../src/audit/core/check.ts';
import { computeScore } from '../../../../src/audit/core/scores.ts';
import { judgeSite, reportOn } from '../../../../src/audit/core/report.ts';
import { snapshotOf } from '../../../support/audit/audit.ts';
import { judgeChecks, testCheck } from '../../../support/audit/judge-check.ts';
import { html, type SiteMap, text } from '../../../support/audit/site-fetch.ts';

const page = (body: string): SiteMap => ({ '/': html(`<!doctype html><title>Acme</title>${body}`) });
const teaser = `<a href="/news/1">${'Why MCP matters to all of us '.repeat(3)}</a>`;

/** Nothing answers as MCP in any of them: whether a server is expected depends on what the site says of itself. */
testCheck(
  'mcp.discovery.any',
  [
    ['an inn', page('<p>Eight rooms and a kitchen.</p>'), 'not_applicable', /nothing on the site speaks of MCP/],
    ['an inn, and the caller says mcp', page('<p>Eight rooms.</p>'), 'fail', /profile mcp/, { profile: 'mcp' }],
    ['an inn, and the caller says api', page('<p>Eight rooms.</p>'), 'fail', /profile api/, { profile: 'api' }],
    ['a link whose text names MCP', page('<a href="/connect">Our MCP server</a>'), 'fail', /link that names MCP/],
    ['a link to a path of MCP', page('<a href="/docs/mcp">Connect</a>'), 'fail', /link that names MCP/],
    ['a link to a host for MCP', page('<a href="https://mcp.acme.example/">Connect</a>'), 'fail', /names MCP/],
    ['a link to the MCP of others', page('<a href="https://other.example/mcp">MCP</a>'), 'not_applicable'],
    ['a teaser of an article on MCP', page(teaser), 'not_applicable'],
    ['a text that names an MCP server', page('<p>Add our MCP server to it.</p>'), 'fail', /text that names MCP/],
    ['initials of something else', page('<p>He is an MCP of Microsoft.</p>'), 'not_applicable'],
    ['a link to an API reference', page('<a href="/docs/api/">API</a>'), 'fail', /a link of the start page/],
    ['a text that names API keys', page('<p>Create API keys in your account.</p>'), 'fail', /names an API/],
    ['news about the API of others', page('<p>Acme closes its API to readers.</p>'), 'not_applicable'],
    [
      'llms.txt that names an endpoint',
      { ...page('<p>Eight rooms.</p>'), '/llms.txt': text('# Acme\n\n- [Server](https://acme.example/mcp)\n') },
      'fail',
      /llms\.txt/,
    ],
  ],
  { profile: 'content', only: ['page', 'control', 'llms', 'mcpDiscovery', 'mcpEndpoint'] },
);

test('a page of the sample that links to MCP speaks for the site', async () => {
  const { outcomes } = await judgeChecks(
    'mcp.discovery.any',
    {
      ...page('<a href="/about">About</a>'),
      '/about': html('<!doctype html><title>About</title><a href="/mcp">MCP</a>'),
    },
    { profile: 'content', only: ['page', 'control', 'sample', 'mcpDiscovery', 'mcpEndpoint'] },
  );
  expect(outcomes['mcp.discovery.any']?.status).toBe('fail');
});

describe('a score that does not apply', () => {
  const inn = page('<p>Eight rooms and a kitchen.</p>');

  test('is 0 with coverage 0, says why, and has no gate', async () => {
    const { judged } = judgeSite(await snapshotOf(inn));
    const { reason, ...score } = computeScore('mcp', judged);
    expect(score).toMatchObject({ score: 0, coverage: 0, applies: false, gates: [] });
    expect(reason).toMatch(/speaks of MCP or an API/);
    for (const name of scoreNames.filter((one) => one !== 'mcp'))
      expect(computeScore(name, judged)).not.toHaveProperty('applies');
  });

  test('is named in the summary without a number, and no fix is promised for it', async () => {
    const report = await reportOn(await snapshotOf(inn));
    if (!report.ok) throw new Error(report.detail);
    expect(report.summary.text).toMatch(/MCP readiness does not apply\./);
    expect(report.summary.text).not.toMatch(/MCP readiness \d/);
    expect(report.summary.fixes.filter(({ check_id: id, gains }) => id.startsWith('mcp.') || 'mcp' in gains)).toEqual(
      [],
    );
  });

  test('of the caller who names the profile is a number again', async () => {
    const { judged } = judgeSite(await snapshotOf(inn), { profile: 'mcp' });
    expect(computeScore('mcp', judged)).toMatchObject({ score: 0, gates: [{ id: 'mcp.discovery.any', cap: 0 }] });
  });
});
