import { expect, test } from 'vitest';
import { parseFilter } from '../../../src/management/core/filter/index.ts';
import { parseTraceTerms } from '../../../src/management/interfaces/tracing/v1/query.ts';
import { readLogEntry, formatLogsCsv, formatLogsJsonl } from '../../../src/web/console/log-lines.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { FILTER_EXAMPLES, formatLogsHref, renderLogs } from '../../../src/web/console/logs.tsx';
import { traceView } from '../../../src/web/console/trace.tsx';
import { TRACE_FILTER_EXAMPLES, renderTraces } from '../../../src/web/console/traces.tsx';
import { layOutWaterfall } from '../../../src/web/console/spans.ts';
import { renderDocument, type Html } from '../../../src/web/design/shell.tsx';
import { foreignAddresses, treeOf } from '../../support/audit/page-tree.ts';
import { xssStrings } from '../../support/audit/xss-strings.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PROJECT = 'projects/p';
const asked = { filter: '', severity: '', since: '', request: '', own: '', order: 'newest', from: '' } as const;
const tracesAsked = { filter: '', since: '', own: '', order: 'newest', from: '' } as const;

/** An entry with a text wherever its writer decides: message, payload, labels, log, trace. */
const entryOf = (text: string): JsonObject => ({
  logName: `${PROJECT}/logs/${encodeURIComponent(text.toWellFormed())}`,
  timestamp: '2026-11-22T21:54:03.123Z',
  severity: text,
  insertId: text,
  trace: `${PROJECT}/traces/${text}`,
  labels: { [text]: text, request_id: text },
  httpRequest: { requestMethod: text, requestUrl: text, status: 200 },
  jsonPayload: { message: text, [text]: [text] },
});

/** Each page with these texts, each once. */
const pages: Record<string, (texts: readonly string[]) => Html> = {
  logs: (texts) =>
    renderLogs({
      asked,
      page: '',
      maxDownload: 10,
      ok: true,
      next: 'n',
      lines: texts.map((text) => ({ ...readLogEntry(entryOf(text), PROJECT), timestamp: `T${text}`, leftOut: 1 })),
    }),
  traces: (texts) =>
    renderTraces({
      asked: tracesAsked,
      page: '',
      ok: true,
      next: undefined,
      traces: texts.map((name) => ({
        traceId: TRACE,
        name,
        startTime: `T${name}`,
        durationMs: 1,
        isFailed: true,
        status: 500,
      })),
    }),
  trace: (texts) =>
    traceView({
      name: `${PROJECT}/traces/${TRACE}`,
      startTime: '',
      spans: 1,
      failed: 0,
      waterfall: layOutWaterfall(
        texts.map((text, at) => ({
          id: String(at).padStart(4, '0'),
          parentId: undefined,
          name: text,
          kind: `K${text}`,
          offsetMs: 0,
          durationMs: 1,
          isFailed: false,
          attributes: [[text, text]],
        })),
      ),
    }),
};

const AT_ONCE = 25;
const pageOf = async (content: Html | undefined): Promise<string> =>
  String(await renderDocument({ title: 'Logs', children: content }));
const isOurs = (address: string): boolean => address.startsWith('/') || address.startsWith('#');

test.each(Object.keys(pages))(
  'X8: no text of a log or a span changes the parsed tree of the page of %s',
  async (name) => {
    const page = (texts: readonly string[]): Promise<string> => pageOf(pages[name]?.(texts));
    const harmless = treeOf(await page(Array.from({ length: AT_ONCE }, (_, index) => `A harmless text ${index}`)));
    expect(harmless.length).toBeGreaterThan(50);
    for (let at = 0; at + AT_ONCE <= xssStrings.length; at += AT_ONCE) {
      const texts = xssStrings.slice(at, at + AT_ONCE);
      expect([texts, treeOf(await page(texts))]).toEqual([texts, harmless]);
    }
  },
);

test('X8: an address in a log is text, and no link', async () => {
  const urls = ['https://evil.example/', 'http://evil.example/x', 'www.evil.example', 'mailto:a@evil.example'];
  for (const render of Object.values(pages)) {
    const page = await pageOf(render(urls));
    expect(page).toContain('evil.example');
    expect(page.match(/<a [^>]*evil/g)).toBeNull();
    expect(foreignAddresses(page, isOurs)).toEqual([]);
  }
});

test('X8: a filter that somebody else chose is text where it is shown, and leads to this page where it leads', async () => {
  for (const text of xssStrings.slice(0, 300)) {
    const search = { ...asked, filter: text, request: text };
    const problem = { field: 'filter', message: text, at: 0 } as const;
    const contents = [
      renderLogs({ asked: search, page: 'p', maxDownload: 1, ok: true, lines: [], next: 'n' }),
      renderLogs({ asked: search, page: 'p', maxDownload: 1, ok: false, problem }),
      renderTraces({ asked: { ...tracesAsked, filter: text }, page: 'p', ok: true, traces: [], next: 'n' }),
      renderTraces({ asked: { ...tracesAsked, filter: text }, page: 'p', ok: false, problem: text }),
    ];
    for (const content of contents) {
      const page = await pageOf(content);
      expect([text, foreignAddresses(page, isOurs)]).toEqual([text, []]);
      expect(
        treeOf(page).filter((tag) => /^<(?:script(?! type="module")|img(?! src="\/web)|iframe|object)/.test(tag)),
      ).toEqual([]);
    }
  }
});

test('X8: a cell of the CSV file that a spreadsheet would run begins with an apostrophe', () => {
  const csv = formatLogsCsv(
    ['=HYPERLINK("https://evil.example")', '+1', '-1', '@A1'].map((text) => ({ textPayload: text, insertId: text })),
  );
  const rows = csv.split('\r\n').slice(1, -1);
  expect(rows.map((row) => row.split(',')[3]?.replaceAll('"', '').slice(0, 2))).toEqual(["'=", "'+", "'-", "'@"]);
  expect(rows.filter((row) => row.includes(',"{""textPayload"":'))).toHaveLength(4);
});

test('JSON lines are the entries as they are', () => {
  const entries = xssStrings.slice(0, 50).map(entryOf);
  const lines = formatLogsJsonl(entries).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(JSON.parse(JSON.stringify(entries)));
});

test.each<[string, JsonObject, string]>([
  ['a text', { textPayload: 'plain' }, 'plain'],
  ['an event', { jsonPayload: { event: 'cron', other: 1 } }, 'cron'],
  ['a message before its event', { jsonPayload: { event: 'cron', message: 'Ran' } }, 'Ran'],
  [
    'a request',
    {
      jsonPayload: { event: 'request' },
      httpRequest: { requestMethod: 'GET', requestUrl: '/a', status: 200, latency: '0.01s' },
    },
    'GET /a 200 0.01s',
  ],
  [
    'a sale, by what was bought and by whom',
    {
      jsonPayload: { event: 'request', capability: 'full_audit', payer: '0x12ab' },
      httpRequest: { requestMethod: 'POST', requestUrl: '/api/agent/{capability}', status: 200, latency: '0.35s' },
    },
    'POST full_audit 200 0x12ab… 0.35s',
  ],
  [
    'a call over MCP, by the status of its outcome',
    {
      jsonPayload: { event: 'request', capability: 'full_audit', mcp_method: 'tools/call', status: 402 },
      httpRequest: { requestMethod: 'POST', requestUrl: '/mcp', status: 200, latency: '0.01s' },
    },
    'tools/call full_audit 402 0.01s',
  ],
  [
    'a call over MCP in a session',
    {
      jsonPayload: {
        event: 'tool_call',
        capability: 'full_audit',
        mcp_method: 'tools/call',
        status: 200,
        payer: '0x12ab',
      },
    },
    'tools/call full_audit 200 0x12ab…',
  ],
  ['a refusal, with its code', { jsonPayload: { event: 'refused', code: 'invalid_url' } }, 'refused · invalid_url'],
  ['anything else', { jsonPayload: { a: 1 } }, '{"a":1}'],
  ['nothing', {}, '{}'],
])('the message of %s', (_name, entry, message) => {
  expect(readLogEntry(entry, PROJECT).message).toBe(message);
});

test.each<[string, JsonObject, string | undefined]>([
  ['of the project', { trace: `${PROJECT}/traces/${TRACE}` }, TRACE],
  ['of another project', { trace: `projects/q/traces/${TRACE}` }, undefined],
  ['that is none', { trace: `${PROJECT}/traces/../../signout` }, undefined],
  ['that was not kept', { trace: `${PROJECT}/traces/${TRACE}`, traceSampled: false }, undefined],
])('an entry leads to a trace %s or to none', (_name, entry, traceId) => {
  expect(readLogEntry(entry, PROJECT).traceId).toBe(traceId);
});

test('what of an entry is too long for the page is counted', () => {
  const { json, leftOut, message } = readLogEntry({ textPayload: 'x'.repeat(20_000) }, PROJECT);
  expect([json.length, message.length]).toEqual([8_000, 300]);
  expect(leftOut).toBe(JSON.stringify({ textPayload: 'x'.repeat(20_000) }, null, 2).length - 8_000);
});

test('every example of the help is a filter', () => {
  for (const { filter } of FILTER_EXAMPLES) expect([filter, parseFilter(filter).ok]).toEqual([filter, true]);
  for (const { filter } of TRACE_FILTER_EXAMPLES) expect(parseTraceTerms(filter).length).toBeGreaterThan(0);
});

test('an error of a filter is told with its place, beside the field', async () => {
  const filter = 'severity>=ERROR\nAND ((';
  const parsed = parseFilter(filter);
  const problem = { field: 'filter', message: 'M', ...(parsed.ok ? {} : { at: parsed.at }) } as const;
  const page = await pageOf(renderLogs({ asked: { ...asked, filter }, page: '', maxDownload: 1, ok: false, problem }));
  expect(page).toMatch(/M \(line 2, column 7, at its end\)/);
  expect(page).toContain('aria-invalid="true"');
  expect(page).not.toContain('No entry matches');
});

test('further pages of a search with a time keep the time it began with', () => {
  const search = { ...asked, since: 'hour', from: '2026-11-22T21:00:00.000Z' } as const;
  expect(formatLogsHref(search)).toBe('/console/logs?since=hour');
  expect(formatLogsHref(search, { page: 'x' })).toBe(
    '/console/logs?since=hour&from=2026-11-22T21%3A00%3A00.000Z&page=x',
  );
});
