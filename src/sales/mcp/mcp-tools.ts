import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { AnyCapability } from '../../capabilities/capability.ts';
import { findCapability } from '../../capabilities/catalog.ts';
import { INDEX_TOOL } from '../../capabilities/service.ts';
import { isBase64url } from '../../lib/base64url.ts';
import { formatCanonicalJson } from '../../lib/json.ts';
import { buildPaymentRequiredResult, readPresentedPayment } from '../../mcp/payment-meta.ts';
import {
  buildCatalogueResource,
  CATALOGUE,
  CATALOGUE_URI,
  parseReportUri,
  parseSectionUri,
  reportResource,
  type SectionPlace,
} from '../../mcp/resources.ts';
import { readReportPage } from '../../mcp/report-reading.ts';
import { buildProblemResult } from '../../mcp/result.ts';
import { BAD_VIEW, buildSoldResult, readEvidence, readWantedView } from '../../mcp/sold-result.ts';
import { isReportTool } from '../../mcp/free-tools.ts';
import { isMonitorTool } from '../../mcp/monitor-tools.ts';
import { FAULT } from '../../mcp/server.ts';
import type { ResourceContents, ResourceList, ToolCall, ToolHost } from '../../mcp/tool-host.ts';
import type { PaymentChallenge } from '../../payment/rails/mpp/challenge.ts';
import { PAYER_PROOF_HEADER, PAYER_PROOF_META } from '../../payment/rails/payer-proof-header.ts';
import type { FoundPayment } from '../../payment/rails/presented.ts';
import { getReasonRow } from '../../payment/terms/reasons.ts';
import { buildProblem } from '../../problems/codes.ts';
import type { ProblemInput } from '../../problems/problem.ts';
import { buildPaymentRequired, type PurchaseAnswer } from '../answer.ts';
import { buildCreditProblem, sellToCredits } from '../credit-sale.ts';
import { formatSectionMarkdown } from '../../results/section-markdown.ts';
import type { ResultView } from '../../results/view.ts';
import { callMonitorTool } from './mcp-monitor-tools.ts';
import type { MonitorApiPorts, MonitorCaller } from '../monitor-api/ports.ts';
import { callFreeTool, type FreeToolPorts, openReadable } from './mcp-free-tools.ts';
import { sellOnce } from '../purchase.ts';
import { parseIdempotencyKey } from '../read-order.ts';
import { type OfferedSale, buildOfferedSale } from '../seller.ts';
import type { PurchaseFollower, SalesPorts } from '../tools.ts';

/** A token holder at the protected endpoint, from its validated token. */
const accountSchema = z.object({
  id: z.string(),
  clientId: z.string(),
  /** When its token was found good, in Unix milliseconds. */
  authorizedAtMs: z.number(),
  scopes: z.array(z.string()),
  /** What the client may spend of the credits in 24 hours, in micro-USDC; undefined: the default. */
  capMicroUsdc: z.number().optional(),
});

const knownCallerSchema = z.object({
  /** What limits count by. */
  caller: z.string(),
  requestId: z.string(),
  /** An audit of ours is asking: it may look, and never buy (rule F7). */
  isOwnAudit: z.boolean(),
  /** PAYMENT-SIGNATURE of this request. */
  paymentHeader: z.string().optional(),
  /** Idempotency-Key of this request. */
  idempotencyHeader: z.string().optional(),
  /** X-PAYMENT came with this request. */
  hasVersion1Header: z.boolean(),
});

/**
 * Who sends one MCP request, and through which endpoint. Plain data, so that it travels with the request into a session
 * object and comes back with each call: a session does not store a caller, and each request carries its own (rule A7).
 */
const mcpCaller = z.discriminatedUnion('endpoint', [
  knownCallerSchema.extend({ endpoint: z.literal('open') }),
  knownCallerSchema.extend({ endpoint: z.literal('account'), account: accountSchema }),
]);
export type McpCaller = z.infer<typeof mcpCaller>;

/** @throws ZodError when it is no caller of ours: only our own session object sends one. */
export const parseCaller = (value: unknown): McpCaller => mcpCaller.parse(value);

/** To whom a session and its resources belong: the subject of the token, or the address of the open endpoint. */
export const getSessionHolder = (from: McpCaller): string =>
  from.endpoint === 'account' ? `account:${from.account.id}` : `open:${from.caller}`;

/** The catalogue as this deployment sells it now, and as the tool that shows it answers. */
export type McpCatalogue = { index: Record<string, unknown>; result: CallToolResult };

/** `status`: what the same order is answered with over HTTP. `payer`: the address, or the account of the credits. */
export type EndedCall = { capability: string; status: number; payer?: string };

/** One request of one caller, and what its tools and resources work with. */
export type McpPorts = {
  from: McpCaller;
  sales: SalesPorts;
  /**
   * Why the caller's token may spend no credits. Decided from the caller itself, because money moves on it, not from what
   * a gate read of the message; the gates in front asked for the scope in HTTP's own words.
   */
  spendingRefusal: ProblemInput | undefined;
  catalogue: () => McpCatalogue;
  free: FreeToolPorts;
  /** Undefined in a deployment without monitors. */
  monitors: MonitorApiPorts | undefined;
  /** Counts a call that named the price of a row and took nothing. */
  countUnpaid: (capability: string) => void;
  /** What a call of a row came to, for telemetry. */
  noteCall: (ended: EndedCall) => void;
  log: (event: Record<string, unknown>) => void;
};

/** Progress goes to who asked for it; a call that is called off before it is paid is not charged (rule Y8). */
function buildPurchaseFollower({ signal, progress }: ToolCall): PurchaseFollower {
  return {
    ...(signal ? { signal } : {}),
    ...(progress
      ? {
          watcher: {
            accepted: () => undefined,
            progress: ({ done, total }) => progress({ done, ...(total === undefined ? {} : { total }) }),
          },
        }
      : {}),
  };
}

type Account = Extract<McpCaller, { endpoint: 'account' }>['account'];

/** A call of a row, and the size in which its result is wanted. */
type WantedCall = { row: AnyCapability; call: ToolCall; view: ResultView };

/** The result of a call, and who paid for it. */
type BoughtResult = { result: CallToolResult; payer?: string };

/** A call that an account pays from its prepaid credits. */
async function buyWithCredits(
  { sales, from, spendingRefusal, log }: McpPorts,
  account: Account,
  { row, call, view }: WantedCall,
): Promise<BoughtResult> {
  if (spendingRefusal !== undefined) return { result: buildProblemResult(spendingRefusal) };
  const named = parseIdempotencyKey(call.meta, from.idempotencyHeader);
  const answer = named.ok
    ? await sellToCredits(sales, {
        row,
        args: call.arguments,
        account: account.id,
        clientId: account.clientId,
        ...(account.capMicroUsdc === undefined ? {} : { capMicroUsdc: account.capMicroUsdc }),
        authorizedAtMs: account.authorizedAtMs,
        ...(named.key === undefined ? {} : { idempotencyKey: named.key }),
        following: buildPurchaseFollower(call),
      })
    : buildCreditProblem('idempotency_key_invalid', named.detail);
  if (answer.kind === 'sold')
    return { result: buildSoldResult(answer.body, { home: sales.settings.BASE_URL, view }), payer: account.id };
  const { status, code } = answer.problem;
  log({ event: 'refused', request_id: from.requestId, status, code, capability: row.name });
  return { result: buildProblemResult(answer.problem) };
}

/** The reports that this account bought by its credits, newest first (rule A6). */
async function listAccountReports(ports: McpPorts, account: Account): Promise<readonly Resource[]> {
  return (await ports.free.reportsOf(account.id)).map(({ reportId, capability, atMs }) =>
    reportResource(reportId, capability, new Date(atMs).toISOString()),
  );
}

/** What the tools and resources of both endpoints do for this caller. */
export function createSalesHost(ports: McpPorts): ToolHost {
  return {
    callTool: (call) => runReportingBugs(ports, () => callTool(ports, call)),
    listResources: () => runReportingBugs(ports, () => listResources(ports)),
    readResource: (uri) => runReportingBugs(ports, () => readResource(ports, uri)),
  };
}

/** A bug is written down here, with its request; what it says goes no further (rule X9). */
async function runReportingBugs<T>({ from: { requestId }, log }: McpPorts, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    log({ event: 'bug', request_id: requestId, name, message: message.slice(0, 300) });
    throw new ProtocolError(ProtocolErrorCode.InternalError, FAULT);
  }
}

async function callTool(ports: McpPorts, call: ToolCall): Promise<CallToolResult> {
  if (call.name === INDEX_TOOL) return ports.catalogue().result;
  if (ports.from.isOwnAudit) return buildProblemResult(OWN_AUDIT);
  if (isReportTool(call.name))
    return callFreeTool(ports.free, call.name, { given: call.arguments, account: findAccountId(ports.from) });
  if (isMonitorTool(call.name))
    return callMonitorTool(ports.monitors, buildMonitorCaller(ports), call.name, {
      given: call.arguments,
      meta: call.meta,
      idempotencyHeader: ports.from.idempotencyHeader,
    });
  const row = findCapability(call.name);
  if (!row) throw new Error('a tool of the table without a row'); // The server looked the name up.
  const { result, payer } = await buy(ports, row, call);
  ports.noteCall({ capability: row.name, status: readStatus(result), ...(payer === undefined ? {} : { payer }) });
  return result;
}

const SOLD = 200;

/** Each of our error results has the status of its problem. */
const readStatus = ({ isError, structuredContent }: CallToolResult): number =>
  isError === true ? Number(Object(structuredContent)['status']) : SOLD;

/** The holder of a token; operators make their free monitors by HTTP. */
function buildMonitorCaller({ from, spendingRefusal }: McpPorts): MonitorCaller {
  if (from.endpoint !== 'account') throw new Error('monitors belong to accounts'); // The open endpoint has no such tool.
  const { id: account, clientId, authorizedAtMs } = from.account;
  return {
    kind: 'account',
    owner: { account, clientId, authorizedAtMs },
    canSpend: spendingRefusal === undefined,
    isOperator: false,
  };
}

const findAccountId = (from: McpCaller): string | undefined =>
  from.endpoint === 'account' ? from.account.id : undefined;

const OWN_AUDIT = buildProblem('loop_detected');

/** A payment that comes with the call is used and nothing else is (rule P6); without one, an account pays by credits. */
async function buy(ports: McpPorts, row: AnyCapability, call: ToolCall): Promise<BoughtResult> {
  const { sales, from } = ports;
  const view = readWantedView(call.meta);
  if (view === undefined) return { result: buildProblemResult(buildProblem('invalid_view', { detail: BAD_VIEW })) };
  const presented = readPresentedPayment(call.meta, from);
  if (presented.kind === 'refused') return { result: refuseUnread(presented) };
  if (presented.kind === 'none' && from.endpoint === 'account')
    return buyWithCredits(ports, from.account, { row, call, view });
  const outcome = await buildOfferedSale(sales, row);
  if (!outcome.ok) return { result: buildProblemResult(outcome.problem) };
  const { sale } = outcome;
  if (presented.kind === 'none')
    return { result: sale.closed ? buildProblemResult(sale.closed) : await quote(ports, sale) };
  const answer = await sellOnce(sales, sale, {
    request: buildOrderRequest(sales.settings.BASE_URL, call),
    presented,
    caller: from.caller,
    following: buildPurchaseFollower(call),
  });
  return toToolResult(ports, { sale, answer, view });
}

/** The price of a row, which counts as asked for like an answer 402 over HTTP. */
async function quote(ports: McpPorts, sale: OfferedSale): Promise<CallToolResult> {
  const { row, terms } = sale;
  ports.countUnpaid(row.name);
  const challenges = await issueChallenges(ports, sale);
  return buildPaymentRequiredResult(row.name, buildPaymentRequired(terms, selectOrigin(ports)).body, { challenges });
}

async function issueChallenges({ sales }: McpPorts, { offer }: OfferedSale): Promise<readonly PaymentChallenge[]> {
  return (await offer.challenges?.issue(sales.now()))?.fresh().list ?? [];
}

/** What a problem says of where it happened. */
const selectOrigin = ({ from, sales }: McpPorts) => ({
  requestId: from.requestId,
  baseUrl: sales.settings.BASE_URL,
});

/** Reading an invalid payment costs no other caller anything, so it is not counted, as in `sellOnce`. */
const refuseUnread = ({ reason, detail }: FoundPayment & { kind: 'refused' }): CallToolResult =>
  buildProblemResult(buildProblem(reason, { detail }));

/** The HTTP request that buys the same, so that a payment is one sale through both doors (rule P23). */
export const buildOrderRequest = (
  baseUrl: string,
  call: Pick<ToolCall, 'name' | 'arguments'> & { meta?: ToolCall['meta'] },
): Request =>
  new Request(`${baseUrl}/api/agent/${call.name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...selectProofHeader(call.meta?.[PAYER_PROOF_META]) },
    body: formatCanonicalJson(call.arguments),
  });

/** What cannot be a header is no proof either: the sale says so. */
const selectProofHeader = (given: unknown): Record<string, string> =>
  given === undefined
    ? {}
    : { [PAYER_PROOF_HEADER]: typeof given === 'string' && isBase64url(given) ? given : 'unreadable' };

type Ended = { sale: OfferedSale; answer: PurchaseAnswer; view: ResultView };

async function toToolResult(ports: McpPorts, { sale, answer, view }: Ended): Promise<BoughtResult> {
  const { row, terms } = sale;
  const { log, sales } = ports;
  const { requestId } = ports.from;
  if (answer.kind === 'sold') {
    const result = buildSoldResult(answer.body, { home: sales.settings.BASE_URL, view, proofs: answer.headers });
    return { result, payer: answer.payer };
  }
  if (answer.kind === 'problem') {
    log({ event: 'refused', request_id: requestId, status: answer.problem.status, code: answer.problem.code });
    return { result: buildProblemResult(answer.problem) };
  }
  log({ event: 'refused', request_id: requestId, status: 402, code: answer.reason, capability: row.name });
  const { body } = buildPaymentRequired(terms, selectOrigin(ports), answer);
  const { paymentResponse } = answer;
  const challenges = await issueChallenges(ports, sale);
  return { result: buildPaymentRequiredResult(row.name, body, { paymentResponse, challenges }) };
}

/** Rule A6: other people's reports are in no list; those of an account are in its own list only. */
async function listResources(ports: McpPorts): Promise<ResourceList> {
  if (ports.from.endpoint === 'open') return { resources: [CATALOGUE], isShared: true };
  return { resources: [CATALOGUE, ...(await listAccountReports(ports, ports.from.account))], isShared: false };
}

async function readResource(ports: McpPorts, uri: string): Promise<ResourceContents> {
  if (uri === CATALOGUE_URI) return buildCatalogueResource(ports.catalogue().index);
  const place = parseSectionUri(uri);
  if (place) return readSectionResource(ports, uri, place);
  const id = parseReportUri(uri);
  if (id === undefined) return undefined;
  const found = await ports.free.openReport(id);
  if (found.kind === 'unavailable') throwUnavailable();
  if (found.kind !== 'open') return undefined;
  const text = JSON.stringify(readEvidence(found.report.json));
  return { contents: [{ uri, mimeType: 'application/json', text }], isShared: false };
}

/** A page of a section; undefined for reports, sections and cursors that there are not. */
async function readSectionResource(
  { free }: McpPorts,
  uri: string,
  { reportId, section, cursor }: SectionPlace,
): Promise<ResourceContents> {
  const opened = await openReadable(free, reportId, section);
  if (!opened.ok && opened.problem.code === 'ledger_unavailable') throwUnavailable();
  const read = opened.ok ? await readReportPage(opened.report, section, { cursor }) : opened;
  if (!read.ok) return undefined;
  return { contents: [{ uri, mimeType: 'text/markdown', text: formatSectionMarkdown(read.page) }], isShared: false };
}

function throwUnavailable(): never {
  throw new ProtocolError(ProtocolErrorCode.InternalError, getReasonRow('ledger_unavailable').title);
}
