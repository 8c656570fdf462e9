import * as z from 'zod';

/**
 * Errors of JSON-RPC and of A2A by name: code, words and, for those of A2A, the reason that clients of 1.0 read.
 * @see https://a2a-protocol.org/latest/specification/ sections 5.4 and 9.5
 */
export const rpcErrors = {
  parse: { code: -32_700, message: 'Invalid JSON payload' },
  invalid_request: { code: -32_600, message: 'Request payload validation error' },
  method_not_found: { code: -32_601, message: 'Method not found' },
  invalid_params: { code: -32_602, message: 'Invalid parameters' },
  internal: { code: -32_603, message: 'Internal error' },
  /** Of ours: a limit, or a body that is not read. */
  refused: { code: -32_000, message: 'Refused' },
  task_not_found: { code: -32_001, message: 'Task not found', reason: 'TASK_NOT_FOUND' },
  task_not_cancelable: { code: -32_002, message: 'Task cannot be canceled', reason: 'TASK_NOT_CANCELABLE' },
  push_not_supported: {
    code: -32_003,
    message: 'Push notifications are not supported',
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  },
  unsupported_operation: {
    code: -32_004,
    message: 'This operation is not supported',
    reason: 'UNSUPPORTED_OPERATION',
  },
  content_type_not_supported: {
    code: -32_005,
    message: 'Incompatible content types',
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
  },
  extended_card_not_configured: {
    code: -32_007,
    message: 'There is no extended agent card',
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  },
  extension_required: {
    code: -32_008,
    message: 'A required extension is not activated',
    reason: 'EXTENSION_SUPPORT_REQUIRED',
  },
  version_not_supported: {
    code: -32_009,
    message: 'This version of A2A is not supported',
    reason: 'VERSION_NOT_SUPPORTED',
  },
} as const;

export type RpcErrorName = keyof typeof rpcErrors;

/** An expected failure of a call. `detail`: what is special about it, in our words. */
export type RpcFault = { error: RpcErrorName; detail?: string; fields?: readonly ParamFault[]; retryAfterS?: number };
export type ParamFault = { field: string; description: string };

export const buildFault = (error: RpcErrorName, detail?: string, fields?: readonly ParamFault[]): RpcFault => ({
  error,
  ...(detail === undefined ? {} : { detail }),
  ...(fields === undefined || fields.length === 0 ? {} : { fields }),
});

export type RpcId = string | number | null;

/** Ids come back in each answer and each event. */
const MAX_ID_CHARS = 256;
/** Deepest nesting of a body. The largest order has four levels, and a payment six. */
export const MAX_BODY_DEPTH = 32;

const envelope = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(MAX_ID_CHARS), z.int(), z.null()]),
  method: z.string().max(MAX_ID_CHARS),
  params: z.record(z.string(), z.unknown()).optional(),
});

export type RpcCall = { id: RpcId; method: string; params: Record<string, unknown> };
export type RpcCallOutcome = { ok: true; call: RpcCall } | { ok: false; fault: RpcFault; id: RpcId };

/** One JSON-RPC request with an id: there are no notifications and no batches in A2A. */
export function readRpcCall(body: unknown): RpcCallOutcome {
  if (Array.isArray(body)) return refuseCall('The body is a batch: send one request at a time');
  if (isDeeperThan(body, MAX_BODY_DEPTH)) return refuseCall(`The body is nested deeper than ${MAX_BODY_DEPTH} levels`);
  const parsed = envelope.safeParse(body);
  if (!parsed.success) return refuseCall('The body is no JSON-RPC 2.0 request with an id and an object as params');
  const { id, method, params = {} } = parsed.data;
  return { ok: true, call: { id, method, params } };
}

const refuseCall = (detail: string): RpcCallOutcome => ({
  ok: false,
  id: null,
  fault: buildFault('invalid_request', detail),
});

/** Whether a JSON value has arrays or objects inside each other beyond a limit. Without recursion, as its sender chose the depth. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const inner = level.filter((one) => typeof one === 'object' && one !== null);
    if (inner.length > 0 && depth >= limit) return true;
    level = inner.flatMap((one) => Object.values(one));
  }
  return false;
}

/** Clients show the message and not the data: the first field that is wrong is in both. */
function listDetails({
  detail,
  fields = [],
}: {
  detail: string | undefined;
  fields: RpcFault['fields'] | undefined;
}): readonly string[] {
  const [first] = fields;
  if (detail !== undefined) return [detail];
  return first === undefined ? [] : [`${first.field} ${first.description}`];
}

const A2A_DOMAIN = 'a2a-protocol.org';

/** The error member of an answer. `data` has objects with `@type`, as 1.0 asks; 0.3 leaves its form open. */
export function buildRpcError({ error, detail, fields }: RpcFault): Record<string, unknown> {
  const row = rpcErrors[error];
  const data = [
    ...('reason' in row
      ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: row.reason, domain: A2A_DOMAIN }]
      : []),
    ...(fields === undefined
      ? []
      : [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: fields }]),
  ];
  return {
    code: row.code,
    message: [row.message, ...listDetails({ detail, fields })].join('. '),
    ...(data.length === 0 ? {} : { data }),
  };
}

export const buildRpcAnswer = (
  id: RpcId,
  answer: { result: unknown } | { fault: RpcFault },
): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  ...('fault' in answer ? { error: buildRpcError(answer.fault) } : { result: answer.result }),
});
