import type { CallToolResult, Resource } from '@modelcontextprotocol/server';
import { CREDIT_SCOPE } from '../../../src/authorization/oauth/scopes.ts';
import type { AnyCapability } from '../../../src/capabilities/capability.ts';
import { problemResult } from '../../../src/mcp/problem-result.ts';
import { reportResource } from '../../../src/mcp/resources.ts';
import { soldResult } from '../../../src/mcp/result.ts';
import type { ToolCall } from '../../../src/mcp/tool-host.ts';
import { logLine } from '../../shared/log.ts';
import { creditAccountOf } from '../bindings/credit-account.ts';
import { creditProblem, sellToCredits } from '../sales/credit-sale.ts';
import { idempotencyKeyOf } from '../../../src/sales/idempotency-key.ts';
import type { McpCaller } from './caller.ts';
import { followingOf, type McpTask } from './task.ts';

type Account = Extract<McpCaller, { endpoint: 'account' }>['account'];

/** A call that an account pays from its prepaid credits. The gates in front asked for the scope in HTTP's own words. */
export async function buyWithCredits(
  { scope, options, from }: McpTask,
  account: Account,
  row: AnyCapability,
  call: ToolCall,
): Promise<CallToolResult> {
  if (!account.scopes.includes(CREDIT_SCOPE)) return problemResult(NO_CREDIT_SCOPE);
  const named = idempotencyKeyOf(call.meta, from.idempotencyHeader);
  const answer = named.ok
    ? await sellToCredits(scope, options, {
        row,
        args: call.arguments,
        account: account.id,
        clientId: account.clientId,
        ...(account.capMicroUsdc === undefined ? {} : { capMicroUsdc: account.capMicroUsdc }),
        authorizedAtMs: account.authorizedAtMs,
        ...(named.key === undefined ? {} : { idempotencyKey: named.key }),
        following: followingOf(call),
      })
    : creditProblem('idempotency_key_invalid', named.detail);
  if (answer.kind === 'sold') return soldResult(answer.body);
  const { status, code } = answer.problem;
  logLine({ event: 'refused', request_id: scope.requestId, status, code, capability: row.name });
  return problemResult(answer.problem);
}

/** Money moves on what stands here, not on what a gate was told about the message. */
const NO_CREDIT_SCOPE = {
  status: 403,
  code: 'insufficient_scope',
  title: 'Spending credits needs another scope',
  detail: `Ask for a token with the scope ${CREDIT_SCOPE}`,
} as const;

/** The reports that this account bought by its credits, newest first (rule A6). */
export async function accountReports({ scope: { env } }: McpTask, account: Account): Promise<readonly Resource[]> {
  const reports = await creditAccountOf(env, account.id, logLine).reports();
  return reports.map(({ reportId, capability, atMs }) =>
    reportResource(reportId, capability, new Date(atMs).toISOString()),
  );
}
