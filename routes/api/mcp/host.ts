import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { CREDIT_SCOPE } from '../../../src/authorization/oauth/scopes.ts';
import type { AnyCapability } from '../../../src/capabilities/capability.ts';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { INDEX_TOOL } from '../../../src/capabilities/service.ts';
import { buildPaymentRequiredResult, readPresentedPayment } from '../../../src/mcp/payment-meta.ts';
import {
  CATALOGUE,
  CATALOGUE_URI,
  buildCatalogueResource,
  parseReportUri,
  reportResource,
} from '../../../src/mcp/resources.ts';
import { readEvidence, buildIndexResult, buildProblemResult, buildSoldResult } from '../../../src/mcp/result.ts';
import { FAULT } from '../../../src/mcp/server.ts';
import type { ResourceContents, ResourceList, ToolCall, ToolHost } from '../../../src/mcp/tool-host.ts';
import { buildServiceIndex } from '../../../src/openapi/service-index.ts';
import { getReasonRow } from '../../../src/payment/terms/reasons.ts';
import type { PurchaseAnswer } from '../../../src/sales/answer.ts';
import { parseIdempotencyKey } from '../../../src/sales/idempotency-key.ts';
import { formatCanonicalJson } from '../../../src/sales/read-order.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import { logLine } from '../../shared/log.ts';
import type { PurchaseFollower, RequestScope } from '../bindings/composition.ts';
import { getCreditAccount } from '../bindings/credit-account.ts';
import { getAnswerEngine } from '../bindings/engine.ts';
import { openReport } from '../bindings/open-report.ts';
import type { AppOptions } from '../context.ts';
import { buildCreditProblem, sellToCredits } from '../sales/credit-sale.ts';
import { payAnewText, type OfferedSale, buildOfferedSale, sellOnce } from '../sales/sell.ts';
import { buildProblem } from '../../../src/problems/codes.ts';

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

/** One request of one caller as the MCP server needs it: the only place where tools meet bindings and money. */
type McpTask = { scope: RequestScope; options: AppOptions; from: McpCaller };

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

/** A call that an account pays from its prepaid credits. The gates in front asked for the scope in HTTP's own words. */
async function buyWithCredits(
  { scope, options, from }: McpTask,
  account: Account,
  row: AnyCapability,
  call: ToolCall,
): Promise<CallToolResult> {
  if (!account.scopes.includes(CREDIT_SCOPE)) return buildProblemResult(NO_CREDIT_SCOPE);
  const named = parseIdempotencyKey(call.meta, from.idempotencyHeader);
  const answer = named.ok
    ? await sellToCredits(scope, options, {
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
  if (answer.kind === 'sold') return buildSoldResult(answer.body);
  const { status, code } = answer.problem;
  logLine({ event: 'refused', request_id: scope.requestId, status, code, capability: row.name });
  return buildProblemResult(answer.problem);
}

/** Decided from the caller itself, because money moves on it, not from what a gate read of the message. */
const NO_CREDIT_SCOPE = buildProblem('insufficient_scope', {
  detail: `Spending credits needs another scope: ask for a token with the scope ${CREDIT_SCOPE}`,
});

/** The reports that this account bought by its credits, newest first (rule A6). */
async function listAccountReports({ scope: { env } }: McpTask, account: Account): Promise<readonly Resource[]> {
  const reports = await getCreditAccount(env, account.id, logLine).reports();
  return reports.map(({ reportId, capability, atMs }) =>
    reportResource(reportId, capability, new Date(atMs).toISOString()),
  );
}

/** What the tools and resources of both endpoints do for this caller. */
export function createWorkerHost(task: McpTask): ToolHost {
  return {
    callTool: (call) => runReportingBugs(task, () => callTool(task, call)),
    listResources: () => runReportingBugs(task, () => listResources(task)),
    readResource: (uri) => runReportingBugs(task, () => readResource(task, uri)),
  };
}

/** A bug is written down here, with its request; what it says goes no further (rule X9). */
async function runReportingBugs<T>({ from: { requestId } }: McpTask, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    logLine({ event: 'bug', request_id: requestId, name, message: message.slice(0, 300) });
    throw new ProtocolError(ProtocolErrorCode.InternalError, FAULT);
  }
}

async function callTool(task: McpTask, call: ToolCall): Promise<CallToolResult> {
  if (call.name === INDEX_TOOL) return getCatalogue(task).result;
  const row = findCapability(call.name);
  if (!row) throw new Error('a tool of the table without a row'); // The server looked the name up.
  if (task.from.isOwnAudit) return buildProblemResult(OWN_AUDIT);
  return buy(task, row, call);
}

const OWN_AUDIT = buildProblem('loop_detected');

/** A payment that comes with the call is used and nothing else is (rule P6); without one, an account pays by credits. */
async function buy(task: McpTask, row: AnyCapability, call: ToolCall): Promise<CallToolResult> {
  const { scope, options, from } = task;
  const presented = readPresentedPayment(call.meta, from);
  if (presented.kind === 'refused') return refuseUnread(presented.detail);
  if (presented.kind === 'none' && from.endpoint === 'account') return buyWithCredits(task, from.account, row, call);
  const outcome = await buildOfferedSale(scope, options, row);
  if (!outcome.ok) return buildProblemResult(outcome.problem);
  const { sale } = outcome;
  if (presented.kind === 'none') {
    return sale.closed
      ? buildProblemResult(sale.closed)
      : buildPaymentRequiredResult(row.name, sale.terms.fresh().body);
  }
  const answer = await sellOnce(scope, options, sale, {
    request: buildOrderRequest(scope, call),
    credential: presented.text,
    caller: from.caller,
    following: buildPurchaseFollower(call),
  });
  return toToolResult(scope, sale, answer);
}

/** Reading an invalid payment costs no other caller anything, so it is not counted, as in `sellOnce`. */
const refuseUnread = (detail: string): CallToolResult =>
  buildProblemResult(buildProblem('invalid_payload', { detail }));

/** The HTTP request that buys the same, so that a payment is one sale through both doors (rule P23). */
export const buildOrderRequest = ({ settings }: Pick<RequestScope, 'settings'>, call: ToolCall): Request =>
  new Request(`${settings.BASE_URL}/api/agent/${call.name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: formatCanonicalJson(call.arguments),
  });

function toToolResult(
  { requestId }: RequestScope,
  { row, terms }: OfferedSale,
  answer: PurchaseAnswer,
): CallToolResult {
  if (answer.kind === 'sold') return buildSoldResult(answer.body, answer.headers['payment-response']);
  if (answer.kind === 'problem') {
    logLine({ event: 'refused', request_id: requestId, status: answer.problem.status, code: answer.problem.code });
    return buildProblemResult(answer.problem);
  }
  logLine({ event: 'refused', request_id: requestId, status: 402, code: answer.reason, capability: row.name });
  const { body } = terms.fresh(payAnewText(answer), { code: answer.reason });
  return buildPaymentRequiredResult(row.name, body, answer.paymentResponse);
}

type Catalogue = { index: Record<string, unknown>; result: CallToolResult };
const catalogues = new WeakMap<ApiWorkerSettings, Map<boolean, Catalogue>>();

/** The catalogue as this deployment sells it now, laid out once per isolate with and without an answer engine. */
function getCatalogue({ scope: { env, settings }, options }: McpTask): Catalogue {
  const hasEngine = getAnswerEngine(env, options).ok;
  const known = catalogues.get(settings) ?? new Map<boolean, Catalogue>();
  catalogues.set(settings, known);
  const kept = known.get(hasEngine);
  if (kept) return kept;
  const index = buildServiceIndex(settings.BASE_URL, settings.PAY_TO, hasEngine);
  const made = { index, result: buildIndexResult(index) };
  known.set(hasEngine, made);
  return made;
}

/** Rule A6: other people's reports are in no list; those of an account are in its own list only. */
async function listResources(task: McpTask): Promise<ResourceList> {
  if (task.from.endpoint === 'open') return { resources: [CATALOGUE], isShared: true };
  return { resources: [CATALOGUE, ...(await listAccountReports(task, task.from.account))], isShared: false };
}

async function readResource(task: McpTask, uri: string): Promise<ResourceContents> {
  if (uri === CATALOGUE_URI) return buildCatalogueResource(getCatalogue(task).index);
  const id = parseReportUri(uri);
  if (id === undefined) return undefined;
  const found = await openReport(task.scope.env, id);
  if (found.kind === 'missing' || found.kind === 'expired') return undefined;
  if (found.kind === 'unavailable') {
    throw new ProtocolError(ProtocolErrorCode.InternalError, getReasonRow('ledger_unavailable').title);
  }
  const text = JSON.stringify(readEvidence(found.report.json));
  return { contents: [{ uri, mimeType: 'application/json', text }], isShared: false };
}
