import { describe, expect, test } from 'vitest';
import { extractOwnText, listManagedBlocks } from '../../../../src/audit/crawlers/facts/managed-block.ts';
import { editLines } from '../../../../src/audit/crawlers/fixes/robots-text.ts';
import { patchRobots } from '../../../../src/fixes/core/patched-files.ts';
import { auditedOf, fixFor, tools } from '../../../support/audit/fixes.ts';
import { CLOUDFLARE_BLOCK, CLOUDFLARE_COMMENT, page } from '../../../support/audit/edge-sites.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';
import { notFound, type SiteMap, text } from '../../../support/audit/site-fetch.ts';

const site = (robots: string): SiteMap => ({ '/': page, '/robots.txt': text(robots) });
const OWN = 'User-agent: *\nDisallow: /cart\n\nSitemap: https://acme.example/sitemap.xml\n';
const WHOLE = CLOUDFLARE_COMMENT + CLOUDFLARE_BLOCK + OWN;

describe("Cloudflare's managed robots.txt, word for word", () => {
  test('its Content-Signal is valid', async () => {
    expect(await judgeCheck('agent.prefs.content-signal', site(WHOLE))).toMatchObject({ status: 'pass' });
  });

  test('no fix of robots.txt changes or removes a line of it', async () => {
    const audited = await auditedOf(site(`${WHOLE}\nUser-agent: OAI-SearchBot\nDisallow: /\n`));
    const patched = patchRobots(audited, tools);
    expect(patched.applied.length).toBeGreaterThan(0);
    expect(patched.text).not.toContain('Managed');
    expect(patched.text).toContain('Disallow: /cart');
    const fixes = await Promise.all(patched.applied.map((id) => fixFor(id, audited)));
    for (const { diff = '', content = '' } of fixes) {
      expect(diff).not.toMatch(/^[-+].*(?:use=reference|Managed content|Amazonbot$|CloudflareBrowser)/m);
      expect(content).not.toContain('Managed');
    }
  });

  test('a signal of the block that is faulty gets an instruction and no diff', async () => {
    const faulty = CLOUDFLARE_BLOCK.replace('search=yes', 'search=maybe');
    const fix = await fixFor('agent.prefs.content-signal', await auditedOf(site(faulty + OWN)));
    expect(fix.diff).toBeUndefined();
    expect(fix.instructions).toContain('written by the provider at its edge');
  });

  test('a faulty signal below the block is repaired there, and use is kept', async () => {
    const own = 'User-agent: *\nContent-Signal: search=true, use=full, colour=red\nDisallow: /cart\n';
    const fix = await fixFor('agent.prefs.content-signal', await auditedOf(site(CLOUDFLARE_BLOCK + own)));
    expect(fix.content).toBe('User-agent: *\nContent-Signal: search=yes, use=full\nDisallow: /cart\n');
  });
});

describe('editLines', () => {
  const lines = WHOLE.split('\n');
  const at = (line: string): number => lines.indexOf(line) + 1;
  test.each([
    ['replaces', { replace: new Map([[at('Content-Signal: search=yes,ai-train=no,use=reference'), 'x']]) }],
    ['removes', { replace: new Map([[at('User-agent: GPTBot'), undefined]]) }],
    ['adds after', { after: new Map([[at('User-agent: CCBot'), ['x']]]) }],
  ])('never %s a line of a block', (_name, edits) => {
    expect(editLines(WHOLE, edits)).toBe(WHOLE);
  });

  test('changes what stands below', () => {
    const edited = editLines(WHOLE, { replace: new Map([[at('Disallow: /cart'), 'Disallow: /basket']]) });
    expect(edited).toBe(WHOLE.replace('/cart', '/basket'));
  });
});

describe('listManagedBlocks', () => {
  test.each([
    ['with the comment above it', WHOLE, [1, WHOLE.split('\n').indexOf('# END Cloudflare Managed Content') + 1, true]],
    [
      'of another provider',
      '# BEGIN adm.tools Managed content\nUser-agent: X\n# END adm.tools Managed content\n',
      [1, 3, true],
    ],
    [
      'below own lines',
      'User-agent: *\nAllow: /\n# BEGIN Cloudflare Managed content\n# END Cloudflare Managed Content',
      [3, 4, true],
    ],
    ['without an end', '# BEGIN Cloudflare Managed content\r\nUser-agent: *\r\nAllow: /', [1, 3, false]],
  ])('a block %s', (_name, body, [from, to, isClosed]) => {
    expect(listManagedBlocks(body)).toMatchObject([{ from, to, isClosed }]);
  });

  test('a comment that only speaks of managed content is none', () => {
    expect(listManagedBlocks('# We begin Cloudflare Managed content soon\nUser-agent: *\n')).toEqual([]);
  });

  test('the own text is what remains, byte for byte', () => {
    expect(extractOwnText(WHOLE)).toBe(OWN);
    expect(extractOwnText(OWN)).toBe(OWN);
    expect(extractOwnText(CLOUDFLARE_BLOCK)).toBe('');
  });
});

describe('aeo.robots.managed-block', () => {
  testCheck('aeo.robots.managed-block', [
    ['no file', { '/': page, '/robots.txt': notFound }, 'not_applicable'],
    ['no block', site(OWN), 'not_applicable', /No provider/],
    ['a block and own rules that agree', site(WHOLE), 'pass', /Cloudflare/],
    [
      'an agent that the own file allows',
      site(`${WHOLE}\nUser-agent: GPTBot\nAllow: /\n`),
      'fail',
      /GPTBot is forbidden by the block and allowed below/,
    ],
    [
      'signals that say otherwise',
      site(`${CLOUDFLARE_BLOCK}User-agent: *\nContent-Signal: ai-train=yes, search=yes\nDisallow: /cart\n`),
      'fail',
      /ai-train, with different answers/,
    ],
    [
      'a block without an end',
      site('# BEGIN Cloudflare Managed content\nUser-agent: *\nAllow: /\n'),
      'partial',
      /no end/,
    ],
  ]);

  test('shows the line of the block and the own one', async () => {
    const { evidence } = await judgeCheck(
      'aeo.robots.managed-block',
      site(`${CLOUDFLARE_BLOCK}User-agent: GPTBot\nAllow: /\n`),
    );
    expect(evidence.map(({ excerpt }) => excerpt)).toEqual(['Disallow: /', 'Allow: /']);
  });
});

const TOKEN = 'User-agent: __usage_ai-training\nDisallow: /\n';

describe('aeo.robots.training-token', () => {
  testCheck('aeo.robots.training-token', [
    ['none', site(OWN), 'not_applicable'],
    ['a group with a rule', site(TOKEN), 'pass'],
    [
      'with the signal of the same meaning',
      site(`${TOKEN}\nUser-agent: *\nContent-Signal: ai-train=no\nAllow: /\n`),
      'pass',
    ],
    [
      'with a signal of the other',
      site(`${TOKEN}\nUser-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n`),
      'fail',
      /not wanted/,
    ],
    [
      'wanted, and a training crawler is shut out',
      site('User-agent: __usage_ai-training\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n'),
      'fail',
      /training is wanted/,
    ],
    [
      'without a rule',
      site('User-agent: *\nAllow: /\n\nUser-agent: __usage_ai-training\n'),
      'fail',
      /no Allow or Disallow/,
    ],
    ['a use that no draft names', site(`${TOKEN}\nUser-agent: __usage_poetry\nDisallow: /\n`), 'partial', /no draft/],
  ]);
});

describe('the token of training elsewhere', () => {
  test('decides the policy for training crawlers', async () => {
    const outcome = await judgeCheck('aeo.robots.training-choice', site(TOKEN));
    expect(outcome).toMatchObject({ status: 'pass', note: expect.stringMatching(/8 of 8/) as string });
    expect(outcome.evidence[0]?.excerpt).toContain('__usage_ai-training');
  });

  test('contradicts a signal of the same file', async () => {
    const outcome = await judgeCheck(
      'agent.prefs.coherent',
      site(`${TOKEN}\nUser-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n`),
    );
    expect(outcome).toMatchObject({ status: 'fail', note: expect.stringContaining('Usage token') as string });
  });
});

describe('aeo.robots.encoding', () => {
  testCheck('aeo.robots.encoding', [
    ['plain paths', site(OWN), 'not_applicable'],
    ['escapes that are whole', site('User-agent: *\nDisallow: /caf%C3%A9/\nAllow: /a%20b\n'), 'pass', /2 rules/],
    ['letters outside ASCII', site('User-agent: *\nDisallow: /café/\n'), 'partial', /not encoded/],
    ['a space inside', site('User-agent: *\nDisallow: /a b\n'), 'partial', /1 rule/],
    ['an escape cut short', site('User-agent: *\nDisallow: /a%2\n'), 'fail', /broken/],
    ['a comment is no path', site('User-agent: *\nDisallow: /a # für alle\n'), 'not_applicable'],
  ]);
});
