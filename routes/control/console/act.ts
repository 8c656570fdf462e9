import { logLine } from '../../shared/telemetry.ts';
import { toHex } from '../../../src/lib/digest.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { buildMonitoredResource } from '../../../src/telemetry/project-writes.ts';
import { type ControlEnv, readControlSettings } from '../bindings/env.ts';
import { findOwnProject, writeOrder } from '../bindings/own-project.ts';
import { getEntryStore } from '../bindings/tenants.ts';
import type { ActionOutcome, ConsoleAction, ConsoleContext, ConsoleFormInput } from './console-request.ts';
import {
  type ConsoleOptions,
  type ConsoleRefusal,
  type ConsoleRequest,
  NOT_REACHED,
  refuseWith,
  findSignedIn,
  type SignedIn,
} from './dependencies.ts';
import { FOREIGN, isOwnPost, readForm } from './posted-form.ts';
import { buildNoticePath, resolveConsoleReturn, signInPath } from './return-url.ts';
import { buildConsoleContext } from './show.ts';
import { redirectSeeOther } from './sign-in.ts';

/**
 * The log of what operators do: the vendor's name for it. Its entries go to the bucket `_Required`, which no sink, exclusion or
 * deletion reaches, so that an entry that was written is there.
 */
export const AUDIT_LOG_ID = 'cloudaudit.googleapis.com%2Factivity';

/** What an operator has done, before it is done (`begun`) and after (`done`, `refused`, `failed`). */
type AuditEntry = {
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
async function writeAudit(entry: AuditEntry, env: ControlEnv): Promise<boolean> {
  try {
    return await writeAuditEntry(entry, env);
  } catch {
    return false; // An object does not answer: said to the caller.
  }
}

async function writeAuditEntry(entry: AuditEntry, env: ControlEnv): Promise<boolean> {
  const own = await findOwnProject(env);
  const order = own && (await writeOrder(own, env));
  if (own === undefined || order === undefined) return false;
  const { tenant, project } = own;
  const resource = buildMonitoredResource({ project, service: 'control', instance: 'console' });
  const body = { logName: `${project}/logs/${AUDIT_LOG_ID}`, resource, entries: [logEntry(entry)] };
  const outcome = await getEntryStore(env, tenant).keepOwn(tenant, { project, order, body, spans: [] });
  return outcome.refused.length === 0 && outcome.entries === 0;
}

function logEntry({ outcome, action, target, operator, requestId, more = {} }: AuditEntry): JsonObject {
  const { id, name } = operator;
  const known = { event: 'console_action', outcome, action, target, operator: id, operator_name: name };
  const added = Object.entries(more).slice(0, MAX_MORE);
  const texts = [...added, ...Object.entries(known), ['request_id', requestId] as const];
  return {
    timestamp: new Date().toISOString(),
    insertId: toHex(crypto.getRandomValues(new Uint8Array(ID_BYTES))),
    severity: SEVERITY,
    labels: { request_id: requestId },
    jsonPayload: Object.fromEntries(texts.map(([key, text]) => [key, text.slice(0, MAX_TEXT_CHARS)])),
  };
}

const MAX_TARGET_CHARS = 256;

/**
 * Has an action done (rule K10): only for a page of the console, a form of this sign-in, and a sign-in that is young;
 * and only once the audit log says that it will be done.
 */
export async function answerAction(c: ConsoleRequest, action: ConsoleAction, options: ConsoleOptions) {
  const { CONTROL_URL } = readControlSettings(c.env);
  if (!isOwnPost(c.req, CONTROL_URL)) return refuseWith(c, FOREIGN);
  const browser = await findSignedIn(c, options);
  if (browser === 'unreachable') return refuseWith(c, NOT_REACHED);
  if (browser === undefined) return refuseWith(c, signInFirst(undefined));
  const posted = await readForm(c.req, browser);
  if (!posted.ok) return refuseWith(c, posted.refusal);
  const { form } = posted;
  const returnTo = resolveConsoleReturn(form.get('return_to'), CONTROL_URL);
  const context = buildConsoleContext(c, browser, new URL(returnTo, CONTROL_URL));
  if (!context.session.isFresh) return refuseWith(c, signInFirst(returnTo));
  return runAudited(c, { action, form, context, browser, returnTo });
}

type Ordered = {
  action: ConsoleAction;
  form: ConsoleFormInput;
  context: ConsoleContext;
  browser: SignedIn;
  returnTo: string;
};

async function runAudited(c: ConsoleRequest, ordered: Ordered) {
  const { action, form, context, browser, returnTo } = ordered;
  const { env, requestId, session } = context;
  const target = (action.target?.(form) ?? '').slice(0, MAX_TARGET_CHARS);
  const entry = { action: action.title, target, operator: session.operator, requestId };
  const about = action.about?.(form) ?? {};
  const write = ({ outcome, more }: Pick<AuditEntry, 'outcome' | 'more'>) =>
    writeAudit({ ...entry, outcome, more: { ...about, ...more } }, env);
  if (!(await write({ outcome: 'begun' }))) return refuseWith(c, withBackLink(NO_AUDIT, returnTo));
  const done = await runAction(action, context, form);
  const isWritten = await write(
    done === undefined ? { outcome: 'failed' } : { outcome: done.outcome ?? 'done', more: done.entry },
  );
  if (!isWritten) logLine({ event: 'console_audit_failed', request_id: requestId, route: action.path });
  if (done === undefined) return refuseWith(c, withBackLink(FAILED, returnTo));
  const said = isWritten ? done.said : `${done.said} ${NOT_WRITTEN}`;
  return redirectSeeOther(
    c,
    await buildNoticePath(resolveConsoleReturn(done.to, context.settings.CONTROL_URL), said, browser.value),
  );
}

async function runAction(
  action: ConsoleAction,
  context: ConsoleContext,
  form: ConsoleFormInput,
): Promise<ActionOutcome | undefined> {
  try {
    return await action.run(context, form);
  } catch (error) {
    const { name } = error instanceof Error ? error : new Error();
    logLine({ event: 'console_action_failed', request_id: context.requestId, route: action.path, error: name });
    return undefined;
  }
}

const NOT_WRITTEN = 'The audit log has that it was begun, and not what came of it: it could not be written any more.';

const withBackLink = (refusal: ConsoleRefusal, href: string): ConsoleRefusal => ({
  ...refusal,
  way: { href, text: 'Back to the page' },
});

const signInFirst = (returnTo: string | undefined): ConsoleRefusal => ({
  status: 403,
  code: returnTo === undefined ? 'not_signed_in' : 'sign_in_too_old',
  title: 'Sign in again',
  detail:
    returnTo === undefined
      ? 'Your session has ended. Nothing was changed. Sign in again.'
      : 'Actions need a sign-in younger than fifteen minutes. Nothing was done: sign in, then do it again.',
  way: { href: signInPath(returnTo ?? '/console/'), text: 'Sign in' },
});

const NO_AUDIT: ConsoleRefusal = {
  status: 503,
  code: 'audit_not_written',
  title: 'Nothing was done',
  detail:
    'The audit log could not be written, and without it nothing is done. It is a log of the project that OPERATOR_TENANT and OPERATOR_PROJECT name.',
};

const FAILED: ConsoleRefusal = {
  status: 500,
  code: 'action_failed',
  title: 'That failed',
  detail: 'Whether it was done is not known: look at the page before you try again.',
};
