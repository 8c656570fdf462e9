import { ownText } from '../../../src/management/log-store/self-telemetry.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { hexOf } from '../../../src/lib/digest.ts';
import { resourceOf } from '../../../src/telemetry/entry.ts';
import type { ControlEnv } from '../bindings/env.ts';
import { ownProject, writeOrder } from '../bindings/own-project.ts';
import { entriesOf } from '../bindings/tenants.ts';

/**
 * The log of what operators do: the vendor's name for it. Its entries go to the bucket `_Required`, which no sink, exclusion or
 * deletion reaches, so that an entry that was written is there.
 */
export const AUDIT_LOG_ID = 'cloudaudit.googleapis.com%2Factivity';

/** What an operator has done, before it is done (`begun`) and after (`done`, `refused`, `failed`). */
export type AuditEntry = {
  outcome: 'begun' | 'done' | 'refused' | 'failed';
  action: string;
  /** What it is done to: an id. */
  target: string;
  operator: { id: string; name: string };
  requestId: string;
  /** What else there is to say of it. */
  more?: Readonly<Record<string, string>>;
};

const ID_BYTES = 8;
const MAX_TEXT_CHARS = 256;
const MAX_MORE = 16;
/** Of this severity on the service's own entries are kept the longest. */
const SEVERITY = 'NOTICE';

/**
 * Writes an entry to the operator's project.
 * @returns whether it is kept: without an operator's project there is no audit log
 */
export async function writeAudit(entry: AuditEntry, env: ControlEnv): Promise<boolean> {
  try {
    return await written(entry, env);
  } catch {
    return false; // An object does not answer: said to the caller.
  }
}

async function written(entry: AuditEntry, env: ControlEnv): Promise<boolean> {
  const own = await ownProject(env);
  const order = own && (await writeOrder(own, env));
  if (own === undefined || order === undefined) return false;
  const { tenant, project } = own;
  const resource = resourceOf({ project, service: 'control', instance: 'console' });
  const body = { logName: `${project}/logs/${AUDIT_LOG_ID}`, resource, entries: [logEntry(entry)] };
  const outcome = await entriesOf(env, tenant).keepOwn(tenant, ownText({ project, order, body, spans: [] }));
  return outcome.refused.length === 0 && outcome.entries === 0;
}

function logEntry({ outcome, action, target, operator, requestId, more = {} }: AuditEntry): JsonObject {
  const { id, name } = operator;
  const known = { event: 'console_action', outcome, action, target, operator: id, operator_name: name };
  const added = Object.entries(more).slice(0, MAX_MORE);
  const texts = [...added, ...Object.entries(known), ['request_id', requestId] as const];
  return {
    timestamp: new Date().toISOString(),
    insertId: hexOf(crypto.getRandomValues(new Uint8Array(ID_BYTES))),
    severity: SEVERITY,
    labels: { request_id: requestId },
    jsonPayload: Object.fromEntries(texts.map(([key, text]) => [key, text.slice(0, MAX_TEXT_CHARS)])),
  };
}
