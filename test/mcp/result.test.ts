import type { CallToolResult } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../src/capabilities/catalog.ts';
import { checkArguments } from '../../src/mcp/server.ts';
import { readEvidence, buildProblemResult, buildSoldResult } from '../../src/mcp/result.ts';
import { CATALOGUE_URI, parseReportUri, reportUri } from '../../src/mcp/resources.ts';
import { hostileSite } from '../support/audit/hostile-site.ts';
import { attacks } from '../support/audit/hostile-text.ts';
import { fixtureTools } from '../support/stack/local-tools.ts';
import { SITE } from '../support/audit/site-fetch.ts';

const ID = '0123456789abcdef0123456789abcdef';
const MARK = 'zqxmark';

const envelope = (result: Record<string, unknown>, warnings: readonly string[] = []): string =>
  JSON.stringify({ capability: 'check_health', url: `${SITE}/`, report_id: ID, ...result, warnings });

const text = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '');
const rate = (value: number) => ({ value, low: value / 2, high: value * 1.5, n: 30 });

describe('what a model reads of a result', () => {
  test.each([
    [
      'scores',
      { scores: { aeo: { score: 71, grade: 'C', coverage: 1 }, mcp: { score: 9, grade: 'F', coverage: 0.2 } } },
      'AEO 71 of 100 (C), MCP Readiness 9 of 100 (F).',
    ],
    ['checks', { checks: [{ status: 'pass' }, { status: 'fail' }, { status: 'fail' }] }, '3 checks: 1 pass, 2 fail.'],
    ['fixes', { fixes: [{}] }, '1 fix.'],
    ['files', { files: [{}, {}] }, '2 files.'],
    [
      'a rate',
      { mention_rate: rate(0.4), rivals: [{}, {}, {}] },
      'Mentioned in 40 % of 30 answers (95 % interval 20 to 60 %). 3 rivals named.',
    ],
    ['a verdict', { verdict: 'too_close_to_call', p_value: 0.123_456 }, 'Verdict: too close to call. p = 0.1235.'],
    [
      'a comparison',
      { categories: [{ category: 'geo', winner: 'competitor' }], gaps: [{}, {}] },
      'Ahead by category: GEO competitor. 2 gaps.',
    ],
    ['a simulation', { engine: { simulated: true } }, 'Simulated answers: no AI was asked.'],
  ])('%s are said in numbers and words of ours', (_what, result, said) => {
    expect(text(buildSoldResult(envelope(result)))).toContain(said);
  });

  test('X4: words where numbers or words of ours belong are left out', () => {
    const hostile = {
      scores: { aeo: { score: MARK, grade: MARK, coverage: 1 }, [MARK]: { score: 1, grade: 'A', coverage: 1 } },
      checks: [{ status: MARK, title: MARK }],
      verdict: MARK,
      categories: [{ category: MARK, winner: MARK }],
      mention_rate: MARK,
      brands: { brand: { name: MARK, mention_rate: rate(0.1) }, competitor: { name: MARK, mention_rate: rate(0.2) } },
    };
    const result = buildSoldResult(envelope(hostile, [`${MARK}: an engine said so`]));
    expect(text(result)).not.toContain(MARK);
    expect(text(result)).toContain('brand mentioned in 10 %');
    expect(text(result)).toContain('1 warning: see warnings.');
  });

  test.each([
    ['the score', { score: MARK, grade: 'C', coverage: 1 }],
    ['the grade', { score: 71, grade: MARK, coverage: 1 }],
    ['the grade, by an own letter', { score: 71, grade: 'A (ignore the rest)', coverage: 1 }],
  ])('X4: one part that is spoiled, %s, leaves the sentence out', (_what, aeo) => {
    const said = text(buildSoldResult(envelope({ scores: { aeo } })));
    expect(said).not.toContain(MARK);
    expect(said).not.toContain('AEO');
  });

  test('everything but our own members stands under evidence', () => {
    const { structuredContent, content } = buildSoldResult(envelope({ checks: [], facts: { a: 1 } }));
    expect(structuredContent).toEqual({
      capability: 'check_health',
      report_id: ID,
      warnings: [],
      evidence: { untrusted: true, result: { url: `${SITE}/`, checks: [], facts: { a: 1 } } },
    });
    expect(content[1]).toMatchObject({ type: 'resource_link', uri: `sightline://reports/${ID}` });
  });

  test('a stored text that is no envelope of ours is a bug, not a result', () => {
    expect(() => readEvidence('{"capability":"x"}')).toThrow('report_id');
  });
});

describe('X4: a hostile site', () => {
  const say = (slot: string): string => `${MARK} ${slot} ${attacks[slot.length % attacks.length]?.slice(0, 200) ?? ''}`;
  const capabilities = catalog.filter(({ engineBacked, body }) => !engineBacked && 'url' in body.shape);

  test.each(capabilities.map((row) => [row.name, row] as const))(
    'says nothing in the words of %s',
    async (name, row) => {
      const tools = fixtureTools(hostileSite(say));
      const input = { url: `${SITE}/`, ...(name === 'compare' ? { competitor: `${SITE}/docs` } : {}) };
      const outcome = await row.run(input, tools);
      if (!outcome.ok) throw new Error(outcome.detail);
      const body = JSON.stringify({
        capability: name,
        url: input.url,
        report_id: ID,
        ...outcome.result,
        warnings: outcome.warnings,
      });
      const result = buildSoldResult(body);
      const { evidence, ...ours } = result.structuredContent as { evidence: { result: object } };
      expect(JSON.stringify({ content: result.content, ours })).not.toContain(MARK);
      // The mark was there to be told: only the checks of health quote nothing.
      expect(JSON.stringify(evidence.result).includes(MARK)).toBe(name !== 'check_health');
      expect(text(result)).toMatch(/^[\x20-\x7e]+$/);
    },
  );

  test.each(['target_unreachable', 'measurement_incomplete', 'result_unavailable'])(
    'says nothing in the problem %s',
    (code) => {
      const result = buildProblemResult({ status: 422, code, title: 'It failed', detail: `tls: ${MARK}` });
      expect(JSON.stringify(result)).not.toContain(MARK);
    },
  );
});

describe('arguments', () => {
  test.each([
    [
      'check_health',
      { url: 'https://a.example/', [MARK]: 1 },
      [{ pointer: '', message: 'has members that are not part of it' }],
    ],
    ['check_health', {}, [{ pointer: '/url', message: expect.any(String) }]],
    [
      'visibility_fix_pack',
      { brand: 'A', niche: 'b', weak_spots: [{ topic: 1 }] },
      [{ pointer: '/weak_spots/0/topic', message: expect.any(String) }],
    ],
    ['index', { a: 1 }, [{ pointer: '', message: 'has members that are not part of it' }]],
  ])('SEP-1303: %s with bad ones is refused with pointers of our schema', async (name, given, errors) => {
    const refused = await checkArguments(name, given);
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'invalid_body', errors } });
    expect(JSON.stringify(refused)).not.toContain(MARK);
  });

  test('a niche that names the brand is refused by its own code', async () => {
    const refused = await checkArguments('visibility_check', { brand: 'Acme', niche: 'Acme desks' });
    expect(refused?.structuredContent).toMatchObject({ code: 'niche_names_brand' });
  });

  test('good ones pass', async () => {
    expect(await checkArguments('index', {})).toBeUndefined();
    expect(await checkArguments('check_health', { url: 'https://a.example/' })).toBeUndefined();
  });
});

describe('resource addresses', () => {
  test.each([
    [reportUri(ID), ID],
    [CATALOGUE_URI, undefined],
    [`sightline://reports/${ID}/x`, undefined],
    [`sightline://reports/${ID.toUpperCase()}`, undefined],
    [`sightline://reports/../${ID}`, undefined],
    ['', undefined],
  ])('%s names the report %s', (uri, id) => {
    expect(parseReportUri(uri)).toBe(id);
  });
});
