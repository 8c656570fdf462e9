import type { CallToolResult } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { isAboutSite } from '../../src/capabilities/capability.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { checkArguments } from '../../src/mcp/server.ts';
import { buildProblemResult } from '../../src/mcp/result.ts';
import { buildSoldResult } from '../../src/mcp/sold-result.ts';
import { CATALOGUE_URI, parseReportUri, reportUri } from '../../src/mcp/resources.ts';
import { hostileSite } from '../support/audit/hostile-site.ts';
import { attacks } from '../support/audit/hostile-text.ts';
import { fixtureTools } from '../support/stack/local-tools.ts';
import { SITE } from '../support/audit/site-fetch.ts';

const ID = '0123456789abcdef0123456789abcdef';
const MARK = 'zqxmark';

const text = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '');

describe('X4: a hostile site', () => {
  const say = (slot: string): string => `${MARK} ${slot} ${attacks[slot.length % attacks.length]?.slice(0, 200) ?? ''}`;
  const capabilities = catalog.filter((row) => !row.engineBacked && isAboutSite(row));

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
      for (const view of ['summary', 'standard', 'full'] as const) {
        const result = buildSoldResult(body, { home: 'https://api.example', view });
        const { evidence, ...ours } = z.looseObject({ evidence: z.looseObject({}) }).parse(result.structuredContent);
        expect(JSON.stringify({ content: result.content, ours })).not.toContain(MARK);
        expect(evidence['untrusted']).toBe(true);
        // The mark was there to be told: only the checks of health quote nothing.
        if (view === 'full') expect(JSON.stringify(evidence['result']).includes(MARK)).toBe(name !== 'check_health');
        expect(text(result)).toMatch(/^[\x20-\x7e\n]+$/);
      }
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
