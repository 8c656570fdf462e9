import type { CallToolResult, Resource } from '@modelcontextprotocol/server';
import type { AnyCapability } from '../src/capabilities/capability.ts';
import { problemResult } from '../src/mcp/problem-result.ts';
import { reportResource } from '../src/mcp/resources.ts';
import { soldResult } from '../src/mcp/result.ts';
import type { ToolCall } from '../src/mcp/tool-host.ts';
import { logLine } from './context.ts';
import { creditAccountOf } from './credit-account.ts';
import { sellToCredits } from './credit-sale.ts';
import type { McpCaller } from './mcp-caller.ts';
import { followingOf, type McpTask } from './mcp-host.ts';

type Account = Extract<McpCaller, { endpoint: 'account' }>['account'];

/** `_meta` member by which a client names a call that it may repeat: the same name and arguments are one debit (rule P6). */
export const IDEMPOTENCY_META = 'sightline/idempotency-key';

/** A call that an account pays from its prepaid credits. The scopes were looked at before the call came here. */
export async function buyWithCredits(
  { scope, options, from }: McpTask,
  account: Account,
  row: AnyCapability,
  call: ToolCall,
): Promise<CallToolResult> {
  const key = call.meta[IDEMPOTENCY_META];
  const answer = await sellToCredits(scope, options, {
    row,
    args: call.arguments,
    account: account.id,
    clientId: account.clientId,
    ...(account.capMicroUsdc === undefined ? {} : { capMicroUsdc: account.capMicroUsdc }),
    ...(typeof key === 'string' ? { idempotencyKey: key } : {}),
    caller: from.caller,
    following: followingOf(call),
  });
  if (answer.kind === 'sold') return soldResult(answer.body);
  const { status, code } = answer.problem;
  logLine({ event: 'refused', request_id: scope.requestId, status, code, capability: row.name });
  return problemResult(answer.problem);
}

/** The reports that this account bought by its credits, newest first (rule A6). */
export async function accountReports({ scope: { env } }: McpTask, account: Account): Promise<readonly Resource[]> {
  const reports = await creditAccountOf(env, account.id, logLine).reports();
  return reports.map(({ reportId, capability, atMs }) =>
    reportResource(reportId, capability, new Date(atMs).toISOString()),
  );
}
