import type { CallToolResult } from '@modelcontextprotocol/server';
import { findCapability } from '../../capabilities/catalog.ts';
import { capabilityTitles } from '../../capabilities/titles-data.ts';
import { PAYMENT_ERROR, PAYMENT_RECEIPTS, PAYMENT_REQUIRED, PAYMENT_STATUS } from '../../a2a/payment-metadata.ts';
import type { OutgoingArtifact, OutgoingMessage, OutgoingPart, TaskView } from '../../a2a/reply.ts';
import { buildFault, type RpcFault } from '../../a2a/rpc.ts';
import type { AgentTask } from '../../a2a/task.ts';
import { parsePaymentResponse } from '../../mcp/payment-meta.ts';
import { buildSoldResult } from '../../mcp/sold-result.ts';
import { resultViews } from '../../results/view.ts';
import { buildOfferedSale } from '../seller.ts';
import type { A2aPorts } from './ports.ts';

export type ViewOutcome = { ok: true; task: TaskView } | { ok: false; fault: RpcFault };

/** A task as its client sees it: with fresh terms while it waits for a payment, and with its result once it is sold. */
export async function showTask(ports: A2aPorts, task: AgentTask): Promise<ViewOutcome> {
  const artifact = await readArtifact(ports, task);
  if (artifact === 'unavailable') return { ok: false, fault: buildFault('internal', 'The report cannot be read now') };
  return { ok: true, task: buildTaskView(task, { terms: await renewTerms(ports, task), artifact }) };
}

type Shown = { terms?: Readonly<Record<string, unknown>>; artifact?: OutgoingArtifact | undefined };

/** What of a task needs no look at anything else. */
export function buildTaskView(task: AgentTask, { terms = {}, artifact }: Shown = {}): TaskView {
  const { id, contextId, status, receipts } = task;
  const metadata = {
    ...(status.payment === undefined ? {} : { [PAYMENT_STATUS]: status.payment }),
    ...(status.paymentError === undefined ? {} : { [PAYMENT_ERROR]: status.paymentError }),
    ...terms,
    ...(receipts.length === 0 ? {} : { [PAYMENT_RECEIPTS]: receipts }),
  };
  const parts: readonly OutgoingPart[] = [
    { kind: 'text', text: status.text },
    ...(status.problem === undefined ? [] : [{ kind: 'data' as const, data: status.problem }]),
  ];
  return {
    id,
    contextId,
    state: status.state,
    atMs: status.atMs,
    message: { id: `${id}-${status.atMs}`, contextId, taskId: id, parts, metadata },
    ...(artifact === undefined ? {} : { artifact }),
  };
}

/** A payment that failed, or none yet, meets terms; one that is to be sent again does not: its client would pay twice (rule P13). */
const NEEDS_TERMS: ReadonlySet<string | undefined> = new Set(['payment-required', 'payment-failed']);

/** Terms with a quote of their own, from the same offer as the 402 of the route. */
async function renewTerms({ sales }: A2aPorts, { order, status }: AgentTask): Promise<Record<string, unknown>> {
  const row = order === undefined ? undefined : findCapability(order.skill);
  if (row === undefined || status.state !== 'input-required' || !NEEDS_TERMS.has(status.payment)) return {};
  const outcome = await buildOfferedSale(sales, row);
  if (!outcome.ok || outcome.sale.closed !== undefined) return {};
  const { header } = outcome.sale.terms.fresh(status.paymentError === undefined ? undefined : status.text);
  const { extensions, ...terms } = Object(parsePaymentResponse(header));
  const { bazaar: _http, ...others } = Object(extensions); // The example of the route belongs to HTTP.
  return { [PAYMENT_REQUIRED]: { ...terms, extensions: others } };
}

/** The result of a sold task, from the stored report: without payment and publish token, so that it can be passed on. */
async function readArtifact(
  { free }: A2aPorts,
  { reportId, order }: AgentTask,
): Promise<OutgoingArtifact | 'unavailable' | undefined> {
  if (reportId === undefined || order === undefined) return undefined;
  const found = await free.openReport(reportId);
  if (found.kind === 'unavailable') return 'unavailable';
  if (found.kind !== 'open') return undefined;
  const view = resultViews.find((one) => one === order.view) ?? 'full';
  const name = findCapability(order.skill)?.name;
  return {
    id: reportId,
    name: name === undefined ? order.skill : capabilityTitles[name],
    parts: toParts(buildSoldResult(found.report.json, { home: free.home, view })),
  };
}

/** The text and the data of a result as parts of a message. Foreign words are in the data alone (rule X4). */
export function toParts({ content, structuredContent }: CallToolResult): readonly OutgoingPart[] {
  const texts = content.flatMap((one) => (one.type === 'text' ? [{ kind: 'text' as const, text: one.text }] : []));
  const data = structuredContent === undefined ? [] : [{ kind: 'data' as const, data: { ...structuredContent } }];
  return [...texts, ...data];
}

export const buildAgentMessage = (
  { newId }: Pick<A2aPorts, 'newId'>,
  contextId: string,
  parts: readonly OutgoingPart[],
): OutgoingMessage => ({ id: newId(), contextId, parts });
