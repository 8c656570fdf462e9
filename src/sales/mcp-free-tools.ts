import type { CallToolResult } from '@modelcontextprotocol/server';
import { freeToolBodies, type ReportTool } from '../mcp/free-tools.ts';
import { buildProblemResult } from '../mcp/result.ts';
import { buildProblem } from '../problems/codes.ts';
import type { OpenReport, ReportRecord } from './report-store.ts';
import { isBuyersToken, judgePublishing } from './publish-report.ts';

/** What the free tools work with. */
export type FreeToolPorts = {
  /** Of the publish tokens; undefined where nothing is sold. */
  ledgerSecret: string | undefined;
  openReport: (id: string) => Promise<OpenReport>;
  /** Makes a report public under the key of its site, and says where badge and history are. */
  publish: (key: string, report: ReportRecord) => Promise<{ badge: string; history: string }>;
};

type Given = Readonly<Record<string, unknown>>;

/** Runs a free tool; its arguments match its body. An expected failure is a problem as a result. */
export function callFreeTool(ports: FreeToolPorts, name: ReportTool, given: Given): Promise<CallToolResult> {
  return runners[name](ports, given);
}

const runners: Readonly<Record<ReportTool, (ports: FreeToolPorts, given: Given) => Promise<CallToolResult>>> = {
  publish_report: publishReport,
};

/** The buyer's own choice, whenever it is made; a repeat changes nothing. */
async function publishReport(ports: FreeToolPorts, given: Given): Promise<CallToolResult> {
  const { report_id: id, publish_token: token } = freeToolBodies.publish_report.parse(given);
  const { ledgerSecret: secret } = ports;
  if (secret === undefined) return buildProblemResult(buildProblem('not_configured'));
  const isBuyer = await isBuyersToken(secret, id, token);
  const judged = judgePublishing(await ports.openReport(id), isBuyer);
  if (!judged.ok) return buildProblemResult(judged.problem);
  const { badge, history } = await ports.publish(judged.key, judged.report);
  const text = `The report is public: ${history}. Its badge: ${badge}. Take it back on the page of the report, with the same publish_token.`;
  return {
    content: [{ type: 'text', text }],
    structuredContent: { report_id: id, published: true, badge, history },
  };
}
