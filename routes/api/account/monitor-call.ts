import { listAcceptedTypes } from '../../../src/openapi/accept.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { MAX_MONITOR_PAGE_ITEMS } from '../../../src/sales/monitor-api/pages.ts';
import { listMonitors } from '../../../src/sales/monitor-api/read-monitor.ts';
import type { MonitorApiPorts, MonitorCaller } from '../../../src/sales/monitor-api/ports.ts';
import type { AccountFrame } from '../../../src/web/account/frame.tsx';
import type { Html } from '../../../src/web/design/shell.tsx';
import { buildRequestScope } from '../bindings/composition.ts';
import { createMonitorApiPorts } from '../bindings/monitor-api.ts';
import { failWith } from '../context.ts';
import { showPage, showRefusal } from '../pages/pages.ts';
import { OWN_PAGES } from '../sales/buy-credits.ts';
import type { AccountVisit } from './visit.ts';

/** A person at the pages of monitors: what the interface calls the caller is the person who is signed in. */
export type MonitorVisit = { visit: AccountVisit; frame: AccountFrame; ports: MonitorApiPorts; caller: MonitorCaller };

export type BuildFrame = (visit: AccountVisit) => AccountFrame;

/** The call of a visit; undefined in a deployment that has no monitors. */
export function openMonitorCall(visit: AccountVisit, frame: AccountFrame): MonitorVisit | undefined {
  const { c, options, session } = visit;
  const ports = createMonitorApiPorts(buildRequestScope(c), options);
  if (ports === undefined) return undefined;
  const owner = { account: session.accountId, clientId: OWN_PAGES.clientId, authorizedAtMs: ports.now() };
  return {
    visit,
    frame,
    ports,
    caller: { kind: 'account', owner, canSpend: true, isOperator: session.kind === 'operator' },
  };
}

/** A task for a call, where this deployment has monitors. */
export const withMonitorCall =
  (frameOf: BuildFrame, run: (call: MonitorVisit) => Promise<Response>) =>
  async (visit: AccountVisit): Promise<Response> => {
    const call = openMonitorCall(visit, frameOf(visit));
    return call === undefined ? refusePage(visit, NO_MONITORS) : run(call);
  };

export const NO_MONITORS = buildProblem('monitors_unavailable', { detail: 'This deployment has no monitors' });

export type PageForm = 'html' | 'md' | 'json';

const TYPES = ['text/html', 'text/markdown', 'application/json'] as const;
const FORMS: Readonly<Record<(typeof TYPES)[number], PageForm>> = {
  'text/html': 'html',
  'text/markdown': 'md',
  'application/json': 'json',
};

/** The last part of an address without its ending, and the form that the ending or `Accept` asks for; undefined for another ending. */
export function readPageForm({ c }: AccountVisit, text: string): { name: string; form: PageForm } | undefined {
  const [name = '', ending, more] = text.split('.', 3);
  if (ending === undefined) {
    const [liked = 'text/html'] = listAcceptedTypes(c.req.header('accept') ?? null, TYPES);
    return { name, form: FORMS[liked] };
  }
  return more === undefined && (ending === 'md' || ending === 'json') ? { name, form: ending } : undefined;
}

/** Pages of an account are no one else's, in any form. */
const PRIVATE = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex', vary: 'Accept' } as const;

/** `script`: the page has one of ours. */
type PageBodies = { html: () => Html; md: () => string; json: () => unknown; script?: true };

export function sendPageForm({ c }: AccountVisit, form: PageForm, bodies: PageBodies): Response | Promise<Response> {
  if (form === 'json') return c.json(bodies.json() as object, 200, PRIVATE);
  if (form === 'md') return c.body(bodies.md(), 200, { ...PRIVATE, 'content-type': 'text/markdown; charset=utf-8' });
  c.header('vary', 'Accept');
  return showPage(c, bodies.html(), bodies.script === undefined ? {} : { script: true });
}

/** A refusal in the form that was asked for. */
export const refusePage = (
  { c }: AccountVisit,
  problem: ProblemInput,
  form: PageForm = 'html',
): Response | Promise<Response> => (form === 'html' ? showRefusal(c, problem) : failWith(c, problem));

/** The account is about to be deleted: how many monitors end with it. Undefined where they cannot be asked for. */
export async function countMonitors(visit: AccountVisit, frame: AccountFrame): Promise<number | undefined> {
  const call = openMonitorCall(visit, frame);
  if (call === undefined) return 0;
  const found = await listMonitors(call.ports, call.caller, { limit: MAX_MONITOR_PAGE_ITEMS });
  return found.ok ? found.value.items.length : undefined;
}
