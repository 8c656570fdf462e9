import { randomBytes } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { freeToolBodies } from '../../mcp/free-tools.ts';
import { readFix, readReportPage, type ReadingAnswer, readReport } from '../../mcp/report-reading.ts';
import { parseReportUri, parseSectionUri } from '../../mcp/resources.ts';
import { buildProblemResult } from '../../mcp/result.ts';
import { readEvidence } from '../../mcp/sold-result.ts';
import type { ResourceContents, ToolCall } from '../../mcp/tool-host.ts';
import { buildProblem } from '../../problems/codes.ts';
import { parseBought } from '../../results/bought.ts';
import { formatSectionMarkdown } from '../../results/section-markdown.ts';

/** Results of this process that can still be read in pieces; the oldest goes first. */
export const MAX_KEPT_REPORTS = 20;

/** Results that were made on this machine. They are stored nowhere, and end with the process. */
export type KeptReports = {
  /** Keeps a result under a new id, and returns it with this id as JSON. */
  keep: (result: Readonly<Record<string, unknown>>) => string;
  /** Answers `read_report` and `get_fix` about a kept result; undefined about every other one. */
  call: (call: ToolCall) => Promise<CallToolResult | undefined>;
  /** A kept result, or a page of a section of one. */
  readResource: (uri: string) => Promise<ResourceContents>;
};

export function createKeptReports(limit = MAX_KEPT_REPORTS): KeptReports {
  const kept = new Map<string, string>();
  const open = (id: string) => {
    const json = kept.get(id);
    const result = json === undefined ? undefined : parseBought(json);
    return result && { source: { result }, home: undefined };
  };
  return {
    keep: ({ capability, ...result }) => {
      const id = randomBytes(16).toString('hex');
      const json = JSON.stringify({ capability, report_id: id, ...result });
      kept.set(id, json);
      for (const oldest of [...kept.keys()].slice(0, -limit)) kept.delete(oldest);
      return json;
    },
    call: async ({ name, arguments: given }) => {
      if (name === 'read_report') {
        const { report_id: id, ...question } = freeToolBodies.read_report.parse(given);
        const report = open(id);
        return report && toResult(await readReport(report, question));
      }
      if (name !== 'get_fix') return undefined;
      const { report_id: id, fix_id: fixId } = freeToolBodies.get_fix.parse(given);
      const report = open(id);
      return report && toResult(readFix(report, fixId));
    },
    readResource: async (uri) => {
      const place = parseSectionUri(uri);
      const id = place?.reportId ?? parseReportUri(uri) ?? '';
      const report = open(id);
      if (report === undefined) return undefined;
      if (place === undefined) {
        const text = JSON.stringify(readEvidence(kept.get(id) ?? ''));
        return { contents: [{ uri, mimeType: 'application/json', text }], isShared: false };
      }
      const read = await readReportPage(report, place.section, { cursor: place.cursor });
      if (!read.ok) return undefined;
      return {
        contents: [{ uri, mimeType: 'text/markdown', text: formatSectionMarkdown(read.page) }],
        isShared: false,
      };
    },
  };
}

const toResult = (answer: ReadingAnswer): CallToolResult =>
  answer.ok ? answer.result : buildProblemResult(buildProblem(answer.reason, { detail: answer.detail }));
