import type { CallToolResult } from '@modelcontextprotocol/server';
import type { StoredRuns } from '../../capabilities/visibility-recording.ts';
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts';
import { freeToolBodies, type ReportTool } from '../../mcp/free-tools.ts';
import { type ReadableReport, readFix, type ReadingAnswer, readReport } from '../../mcp/report-reading.ts';
import { buildProblemResult } from '../../mcp/result.ts';
import type { CreditAccountObject } from '../../payment/credits/protocol.ts';
import { buildProblem } from '../../problems/codes.ts';
import type { ProblemInput } from '../../problems/problem.ts';
import { parseBought } from '../../results/bought.ts';
import { findSection } from '../../results/section-page.ts';
import { isFromRecording } from '../../results/sections.ts';
import { describeUnreadable, isBuyersToken, judgePublishing } from '../reports/publish-report.ts';
import type { OpenReport, ReportRecord } from '../reports/report-store.ts';

/** Reports of one page of `list_reports`. */
const MAX_LISTED = 50;

/** What the free tools work with. */
export type FreeToolPorts = {
  /** Our own address. */
  home: string;
  /** Of the publish tokens; undefined where nothing is sold. */
  /** As `listPublishSecrets` has them; none where nothing is sold. */
  publishSecrets: readonly string[];
  openReport: (id: string) => Promise<OpenReport>;
  /** The answers behind a measurement; undefined where none are stored. */
  readRun: (id: string) => Promise<StoredRuns | undefined>;
  /** Makes a report public under the key of its site, and says where badge and history are. */
  publish: (key: string, report: ReportRecord) => Promise<{ badge: string; history: string }>;
  /** What an account bought by its credits, newest first. */
  reportsOf: (account: string) => ReturnType<CreditAccountObject['reports']>;
};

type Given = Readonly<Record<string, unknown>>;
/** `account`: whose token came with the call, at the endpoint that has accounts. */
type FreeCall = { given: Given; account: string | undefined };
type Runner = (ports: FreeToolPorts, call: FreeCall) => Promise<CallToolResult>;

/** Runs a free tool; its arguments match its body. An expected failure is a problem as a result. */
export const callFreeTool = (ports: FreeToolPorts, name: ReportTool, call: FreeCall): Promise<CallToolResult> =>
  runners[name](ports, call);

const runners: Readonly<Record<ReportTool, Runner>> = {
  read_report: async (ports, { given }) => {
    const { report_id: id, ...question } = freeToolBodies.read_report.parse(given);
    const opened = await openReadable(ports, id, question.section);
    return opened.ok ? toResult(await readReport(opened.report, question)) : buildProblemResult(opened.problem);
  },
  get_fix: async (ports, { given }) => {
    const { report_id: id, fix_id: fixId } = freeToolBodies.get_fix.parse(given);
    const opened = await openReadable(ports, id, 'fixes');
    return opened.ok ? toResult(readFix(opened.report, fixId)) : buildProblemResult(opened.problem);
  },
  list_reports: listReports,
  publish_report: publishReport,
};

const toResult = (answer: ReadingAnswer): CallToolResult =>
  answer.ok ? answer.result : buildProblemResult(buildProblem(answer.reason, { detail: answer.detail }));

export type OpenedReport = { ok: true; report: ReadableReport } | { ok: false; problem: ProblemInput };

/**
 * A report that was paid for, to be read in pieces. Who has its id may read it; how it was paid is stored nowhere and is in
 * no answer (rule P28).
 */
export async function openReadable(
  { home, openReport, readRun }: Pick<FreeToolPorts, 'home' | 'openReport' | 'readRun'>,
  id: string,
  section: string | undefined,
): Promise<OpenedReport> {
  const found = await openReport(id);
  if (found.kind !== 'open') return { ok: false, problem: describeUnreadable(found) };
  const result = parseBought(found.report.json);
  if (result === undefined) return { ok: false, problem: buildProblem('unknown_section', { detail: TOO_OLD }) };
  // A recording is large: it is opened for a section that this report has.
  const wanted = section === undefined ? undefined : findSection({ result }, section);
  const run = wanted !== undefined && isFromRecording(wanted) ? await readRun(id) : undefined;
  return { ok: true, report: { source: { result, run }, home } };
}

const TOO_OLD = 'This report has the form of an earlier version and is read as a whole, by its resource';

async function listReports({ reportsOf, home }: FreeToolPorts, { given, account }: FreeCall): Promise<CallToolResult> {
  if (account === undefined) throw new Error('reports are listed to accounts'); // The open endpoint has no such tool.
  const { cursor } = freeToolBodies.list_reports.parse(given);
  const all = await reportsOf(account);
  const scope = `reports of ${account}`;
  const from = cursor === undefined ? 0 : await decodeCursor(cursor, scope);
  if (from === undefined) return buildProblemResult(buildProblem('invalid_cursor'));
  const end = from + MAX_LISTED;
  const reports = all.slice(from, end).map(({ reportId, capability, atMs }) => ({
    report_id: reportId,
    capability,
    bought_at: new Date(atMs).toISOString(),
    report_url: `${home}/reports/${reportId}`,
  }));
  const next = end < all.length ? { next_cursor: await encodeCursor(scope, end) } : {};
  const lines = reports.map(({ report_id: id, capability, bought_at: at }) => `${id} ${capability} ${at}`);
  const text = lines.length === 0 ? 'No reports: this account bought nothing yet.' : lines.join('\n');
  const more = next.next_cursor === undefined ? '' : `\nMore with cursor "${next.next_cursor}".`;
  return { content: [{ type: 'text', text: `${text}${more}` }], structuredContent: { reports, ...next } };
}

/** The buyer's own choice, whenever it is made; a repeat changes nothing. */
async function publishReport(ports: FreeToolPorts, { given }: FreeCall): Promise<CallToolResult> {
  const { report_id: id, publish_token: token } = freeToolBodies.publish_report.parse(given);
  const { publishSecrets } = ports;
  if (publishSecrets.length === 0) return buildProblemResult(buildProblem('not_configured'));
  const isBuyer = await isBuyersToken(publishSecrets, id, token);
  const judged = judgePublishing(await ports.openReport(id), isBuyer);
  if (!judged.ok) return buildProblemResult(judged.problem);
  const { badge, history } = await ports.publish(judged.key, judged.report);
  const text = `The report is public: ${history}. Its badge: ${badge}. Take it back on the page of the report, with the same publish_token.`;
  return {
    content: [{ type: 'text', text }],
    structuredContent: { report_id: id, published: true, badge, history },
  };
}
