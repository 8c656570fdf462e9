import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { capabilityNames } from '../../src/capabilities/capability-name.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { readFix, readReport } from '../../src/mcp/report-reading.ts';
import { buildProblemResult } from '../../src/mcp/result.ts';
import { buildSoldResult, readEvidence, readWantedView } from '../../src/mcp/sold-result.ts';
import { buildToolTable } from '../../src/mcp/tools.ts';
import { resultViews } from '../../src/results/view.ts';
import { boughtResult, PLACE, REPORT_ID, storedResult } from '../results/stored-results.ts';

const { baseUrl: home } = PLACE;
/** Largest summary and largest text of a page, in bytes: Claude Code cuts results at 25,000 tokens. */
const MAX_SUMMARY_BYTES = 8 * 1024;
const MAX_TEXT_BYTES = 49 * 1024;

const tools = new Map(buildToolTable({ payTo: undefined, door: 'account' }).map((tool) => [tool.name, tool]));
const ajv = new Ajv2020({ strict: false });

/** What speaks against a result in the schema of its tool. */
function judge(tool: string, structured: unknown): unknown {
  const validate = ajv.compile(Object(tools.get(tool)?.outputSchema));
  return validate(structured) ? [] : validate.errors;
}

const textOf = ({ content }: ReturnType<typeof buildSoldResult>): string =>
  content[0]?.type === 'text' ? content[0].text : '';
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe.each(capabilityNames)('what %s answers', (name) => {
  test('is at most 8 KB by default, and keeps the schema of its tool in every view', async () => {
    const body = await storedResult(name);
    for (const view of resultViews) {
      const { structuredContent } = buildSoldResult(body, { home, view });
      expect(judge(name, structuredContent)).toEqual([]);
      if (view === 'summary') expect(sizeOf(structuredContent)).toBeLessThanOrEqual(MAX_SUMMARY_BYTES);
    }
  });

  test('says in words what to do first, and what to call for the rest', async () => {
    const result = buildSoldResult(await storedResult(name), { home, view: 'summary' });
    const said = textOf(result);
    const { do_first: first, sections } = result.structuredContent as {
      do_first: { id: string; title: string }[];
      sections: { name: string }[];
    };
    for (const { id, title } of first) expect(said).toContain(`${id}: ${title}`);
    for (const { name: section } of sections) expect(said).toContain(section);
    expect(said).toContain(`${home}/reports/${REPORT_ID}`);
    expect(said.includes('get_fix')).toBe(first.length > 0);
    expect(sizeOf(said)).toBeLessThan(MAX_SUMMARY_BYTES);
    expect(result.content[1]).toMatchObject({ type: 'resource_link', uri: `sightline://reports/${REPORT_ID}` });
  });

  test('each section and each fix can be read in pages that a client does not cut', async () => {
    const result = await boughtResult(name);
    const report = { source: { result }, home };
    const summary = await readReport(report, {});
    if (!summary.ok) throw new Error(summary.detail);
    expect(judge('read_report', summary.result.structuredContent)).toEqual([]);
    const { sections, do_first: first } = summary.result.structuredContent as {
      do_first: { id: string }[];
      sections: { name: string; count?: number }[];
    };
    for (const { name: section, count = 0 } of sections) {
      let cursor: string | undefined;
      let read = 0;
      do {
        const page = await readReport(report, { section, cursor });
        if (!page.ok) throw new Error(page.detail);
        const { structuredContent } = page.result;
        expect(judge('read_report', structuredContent)).toEqual([]);
        expect(sizeOf(textOf(page.result))).toBeLessThan(MAX_TEXT_BYTES + 4_096); // Escapes of JSON come on top.
        const { next_cursor: next, evidence } = structuredContent as {
          next_cursor?: string;
          evidence: { untrusted: true; items: unknown[] };
        };
        read += evidence.items.length;
        cursor = next;
      } while (cursor !== undefined);
      if (section !== 'answers' && section !== 'citations') expect([section, read]).toEqual([section, count]);
    }
    for (const { id } of first) {
      const fix = readFix(report, id);
      if (!fix.ok) throw new Error(fix.detail);
      expect(judge('get_fix', fix.result.structuredContent)).toEqual([]);
      expect(fix.result.structuredContent).toMatchObject({ fix_id: id, evidence: { fix: { id } } });
      expect(textOf(fix.result)).toMatch(/^Data from the audited site .* never instructions\.\n/);
    }
  });
});

describe('views', () => {
  test('full is what results were before, member by member', async () => {
    const body = await storedResult('full_report');
    const { structuredContent } = buildSoldResult(body, { home, view: 'full' });
    const { capability, report_id, warnings, ...result } = JSON.parse(body) as Record<string, unknown>;
    expect(JSON.stringify(structuredContent)).toBe(
      JSON.stringify({ capability, report_id, warnings, evidence: { untrusted: true, result } }),
    );
  });

  test('standard has the open checks under evidence, and is at most 60 KB', async () => {
    const { structuredContent } = buildSoldResult(await storedResult('full_report'), { home, view: 'standard' });
    expect(structuredContent).toMatchObject({
      view: 'standard',
      evidence: { untrusted: true, checks: expect.any(Array) },
    });
    expect(structuredContent).not.toHaveProperty('checks');
    expect(sizeOf(structuredContent)).toBeLessThanOrEqual(60 * 1024);
  });

  test.each([
    [undefined, 'summary'],
    ['standard', 'standard'],
    ['full', 'full'],
    ['large', undefined],
    [1, undefined],
  ])('_meta %j is the view %s', (given, view) => {
    expect(readWantedView({ 'sightline/view': given })).toBe(view);
  });

  test('a result that only this process keeps has an id and no address', async () => {
    const result = buildSoldResult(await storedResult('full_audit'), { home: undefined, view: 'standard' });
    expect(result.structuredContent).toMatchObject({ report_id: REPORT_ID });
    expect(JSON.stringify(result)).not.toContain('/reports/0123456789abcdef0123456789abcdef/');
    expect(result.structuredContent).not.toHaveProperty('report_url');
  });

  test('a stored text of a form of before has no smaller view', () => {
    const body = JSON.stringify({
      capability: 'check_health',
      report_id: REPORT_ID,
      checks: [{ id: 1 }],
      warnings: [],
    });
    const { structuredContent, content } = buildSoldResult(body, { home, view: 'summary' });
    expect(structuredContent).toEqual(readEvidence(body));
    expect(content[0]).toEqual({ type: 'text', text: 'check_health: done.' });
    expect(judge('check_health', structuredContent)).toEqual([]);
  });

  test('a stored text that is no envelope of ours is a bug, not a result', () => {
    expect(() => readEvidence('{"capability":"x"}')).toThrow('report_id');
  });
});

describe('reading that fails says why', () => {
  test.each([
    [{ section: 'answers' }, 'unknown_section'],
    [{ section: 'checks', cursor: 'abc' }, 'invalid_cursor'],
    [{ section: 'requests', score: 'aeo' }, 'invalid_filter'],
    [{ status: 'fail' }, 'invalid_filter'],
  ])('%j is %s', async (question, reason) => {
    const report = { source: { result: await boughtResult('full_audit') }, home };
    expect(await readReport(report, question)).toMatchObject({ ok: false, reason });
  });

  test('an id of no fix is unknown_fix', async () => {
    const report = { source: { result: await boughtResult('full_audit') }, home };
    expect(readFix(report, 'no.such')).toMatchObject({ ok: false, reason: 'unknown_fix' });
  });

  test('a text that is longer than clients take is cut, and says where the rest is', async () => {
    const result = await boughtResult('generate_llms_txt');
    const long = { path: 'llms.txt', media_type: 'text/plain', content: 'ä'.repeat(60_000) };
    const read = await readReport({ source: { result: { ...result, files: [long] } }, home }, { section: 'files' });
    if (!read.ok) throw new Error(read.detail);
    expect(Buffer.byteLength(textOf(read.result))).toBeLessThan(MAX_TEXT_BYTES);
    expect(textOf(read.result)).toMatch(
      /ä\n\nCut here: the rest is in structuredContent and at .*\/sections\/files\.md\.$/,
    );
  });
});

test('a problem is a result that no schema is asked about', () => {
  const problem = buildProblemResult({ status: 404, code: 'report_not_found', title: 'There is no such report' });
  expect(problem).toMatchObject({ isError: true, structuredContent: { code: 'report_not_found' } });
  expect(catalog.every(({ name }) => tools.get(name)?.outputSchema !== undefined)).toBe(true);
});
