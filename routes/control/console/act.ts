import { logLine } from '../../shared/log.ts';
import { readControlSettings } from '../bindings/env.ts';
import { type AuditEntry, writeAudit } from './audit.ts';
import type { ActionOutcome, ConsoleAction, ConsoleContext, Posted } from './console-request.ts';
import { pathSaying, safeReturn, signInPath } from './return-url.ts';
import { FOREIGN, isOwnPost, readForm } from './posted.ts';
import { contextOf } from './show.ts';
import { seeOther } from './sign-in.ts';
import {
  type ConsoleOptions,
  type ConsoleRefusal,
  type ConsoleRequest,
  NOT_REACHED,
  refuseWith,
  signedIn,
  type SignedIn,
} from './dependencies.ts';

const MAX_TARGET_CHARS = 256;

/**
 * Has an action done (rule K10): only for a page of the console, a form of this sign-in, and a sign-in that is young;
 * and only once the audit log says that it will be done.
 */
export async function answerAction(c: ConsoleRequest, action: ConsoleAction, options: ConsoleOptions) {
  const { CONTROL_URL } = readControlSettings(c.env);
  if (!isOwnPost(c.req, CONTROL_URL)) return refuseWith(c, FOREIGN);
  const browser = await signedIn(c, options);
  if (browser === 'unreachable') return refuseWith(c, NOT_REACHED);
  if (browser === undefined) return refuseWith(c, signInFirst(undefined));
  const posted = await readForm(c.req, browser);
  if (!posted.ok) return refuseWith(c, posted.refusal);
  const { form } = posted;
  const returnTo = safeReturn(form.get('return_to'), CONTROL_URL);
  const context = contextOf(c, browser, new URL(returnTo, CONTROL_URL));
  if (!context.session.isFresh) return refuseWith(c, signInFirst(returnTo));
  return audited(c, { action, form, context, browser, returnTo });
}

type Ordered = { action: ConsoleAction; form: Posted; context: ConsoleContext; browser: SignedIn; returnTo: string };

async function audited(c: ConsoleRequest, ordered: Ordered) {
  const { action, form, context, browser, returnTo } = ordered;
  const { env, requestId, session } = context;
  const target = (action.target?.(form) ?? '').slice(0, MAX_TARGET_CHARS);
  const entry = { action: action.title, target, operator: session.operator, requestId };
  const about = action.about?.(form) ?? {};
  const write = ({ outcome, more }: Pick<AuditEntry, 'outcome' | 'more'>) =>
    writeAudit({ ...entry, outcome, more: { ...about, ...more } }, env);
  if (!(await write({ outcome: 'begun' }))) return refuseWith(c, back(NO_AUDIT, returnTo));
  const done = await runOf(action, context, form);
  const isWritten = await write(
    done === undefined ? { outcome: 'failed' } : { outcome: done.outcome ?? 'done', more: done.entry },
  );
  if (!isWritten) logLine({ event: 'console_audit_failed', request_id: requestId, route: action.path });
  if (done === undefined) return refuseWith(c, back(FAILED, returnTo));
  const said = isWritten ? done.said : `${done.said} ${NOT_WRITTEN}`;
  return seeOther(c, await pathSaying(safeReturn(done.to, context.settings.CONTROL_URL), said, browser.value));
}

async function runOf(action: ConsoleAction, context: ConsoleContext, form: Posted): Promise<ActionOutcome | undefined> {
  try {
    return await action.run(context, form);
  } catch (error) {
    const { name } = error instanceof Error ? error : new Error();
    logLine({ event: 'console_action_failed', request_id: context.requestId, route: action.path, error: name });
    return undefined;
  }
}

const NOT_WRITTEN = 'The audit log has that it was begun, and not what came of it: it could not be written any more.';

const back = (refusal: ConsoleRefusal, href: string): ConsoleRefusal => ({
  ...refusal,
  way: { href, text: 'Back to the page' },
});

const signInFirst = (returnTo: string | undefined): ConsoleRefusal => ({
  status: 403,
  code: returnTo === undefined ? 'not_signed_in' : 'sign_in_too_old',
  title: 'Sign in again',
  detail:
    returnTo === undefined
      ? 'Nobody is signed in here any more. Nothing was done.'
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
