import { finishSentence } from '../../../src/lib/text.ts';
import { generateRandomHex } from '../../../src/lib/digest.ts';
import type { Monitor } from '../../../src/monitors/core/monitor.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { changeMonitor } from '../../../src/sales/monitor-api/change-monitor.ts';
import { createMonitor } from '../../../src/sales/monitor-api/create-monitor.ts';
import { readMonitor } from '../../../src/sales/monitor-api/read-monitor.ts';
import type { FieldFault } from '../../../src/web/capability/faults.ts';
import { buildEngineLine } from '../../../src/web/capability/page.tsx';
import { getProblemWords } from '../../../src/web/language/problem-words.ts';
import { formatMonitorPath } from '../../../src/web/monitors/describe-monitor.ts';
import { hasSecret, renderShownOnce } from '../../../src/web/monitors/dialogs.tsx';
import { getFormKind, type MonitorFormKind, readFormKind } from '../../../src/web/monitors/form-kinds.ts';
import { renderMonitorForm } from '../../../src/web/monitors/form.tsx';
import {
  fillMonitorForm,
  type FilledMonitorForm,
  listFormFaults,
  readMonitorForm,
  startMonitorForm,
} from '../../../src/web/monitors/read-form.ts';
import { getAnswerEngines } from '../bindings/engine.ts';
import { type FormInput, showPage } from '../pages/pages.ts';
import { readCredits } from './credits.ts';
import { type MonitorVisit, refusePage } from './monitor-call.ts';

const KEY_BYTES = 16;
const UNPROCESSABLE = 422;
const CONFLICT = 412;

/** What the person can spend: null for an operator, who has no credits; undefined where it cannot be read. */
export const readBalance = async ({ visit }: MonitorVisit): Promise<number | null | undefined> =>
  visit.session.kind === 'operator' ? null : (await readCredits(visit))?.balanceMicroUsdc;

type Shown = {
  kind: MonitorFormKind;
  form: FilledMonitorForm;
  faults?: readonly FieldFault[];
  refusal?: string | undefined;
};

/** What both forms have. */
async function buildFormPage(call: MonitorVisit, { kind, form, faults = [], refusal }: Shown) {
  const { visit, frame, ports } = call;
  const choice = kind === 'site' ? undefined : getAnswerEngines(visit.c.env, visit.options);
  const engines = choice?.ok === true ? choice.engines.map((one) => buildEngineLine(one, visit.language)) : [];
  const isFree = visit.session.kind === 'operator';
  const balanceMicroUsdc = (await readBalance(call)) ?? undefined;
  return { frame, kind, form, faults, refusal, engines, hasMail: ports.hasMail, balanceMicroUsdc, isFree };
}

/** `?kind=` and the fields of that kind, such as `?url=`, fill the form. Nothing is judged before it is sent. */
export async function showNewForm(call: MonitorVisit): Promise<Response> {
  const { c } = call.visit;
  const form = startMonitorForm((name) => c.req.query(name));
  const page = await buildFormPage(call, { kind: readFormKind(c.req.query('kind')), form });
  return showPage(c, renderMonitorForm({ ...page, isNew: true, idempotencyKey: generateRandomHex(KEY_BYTES) }));
}

const toFilled = ({ get, all }: FormInput): FilledMonitorForm => ({ read: get, all });

/** The form of a new monitor was sent. The same form sent twice makes one monitor. */
export async function createByForm(call: MonitorVisit, posted: FormInput): Promise<Response> {
  const { visit, ports, caller } = call;
  const kind = readFormKind(posted.get('kind'));
  const form = toFilled(posted);
  const free = visit.session.kind === 'operator';
  const asked = await readMonitorForm(form, { kind, language: visit.language, free, isNew: true });
  const idempotencyKey = posted.get('key') ?? '';
  const showAgain = async (faults: readonly FieldFault[], refusal?: string): Promise<Response> => {
    const page = await buildFormPage(call, { kind, form, faults, refusal });
    // What is corrected is another order: the key of the first one would refuse it.
    return showPage(
      visit.c,
      renderMonitorForm({ ...page, isNew: true, idempotencyKey: generateRandomHex(KEY_BYTES) }),
      {},
      UNPROCESSABLE,
    );
  };
  if (asked.faults.length > 0) return showAgain(asked.faults);
  const made = await createMonitor(ports, caller, { body: asked.body, idempotencyKey });
  if (!made.ok) {
    const { faults, refusal } = explainRefusal(call, made.problem, asked.fields);
    return showAgain(faults, refusal);
  }
  const { overview, isRepeat } = made.value;
  return answerSaved(call, overview.monitor, isRepeat ? [] : overview.monitor.receivers, 'monitor_created');
}

/** A refusal of single members is said at their fields, any other above the form. */
function explainRefusal(
  { visit: { language } }: MonitorVisit,
  { errors = [], code, title, detail }: ProblemInput,
  fields: readonly string[],
): { faults: readonly FieldFault[]; refusal?: string } {
  if (errors.length > 0) return { faults: listFormFaults(errors, { fields }, language) };
  const words = getProblemWords(code, language);
  const sentences = words === undefined ? [title, detail] : [words.title, words.means];
  return {
    faults: [],
    refusal: sentences.flatMap((one) => (one === undefined ? [] : [finishSentence(one)])).join(' '),
  };
}

/** To the monitor, past what is shown once where there is something. */
function answerSaved(
  { visit: { c }, frame, ports }: MonitorVisit,
  monitor: Monitor,
  fresh: Monitor['receivers'],
  done: 'monitor_created' | 'monitor_saved',
): Response | Promise<Response> {
  const receivers = fresh.filter(hasSecret);
  if (receivers.length === 0) return c.redirect(`${formatMonitorPath(monitor.id)}?done=${done}`, 303);
  const shown = { receivers };
  return showPage(c, renderShownOnce({ frame: { ...frame, done }, monitor, baseUrl: ports.baseUrl, shown }), {
    script: true,
  });
}

const getEditPlace = ({ id, name, revision, receivers }: Monitor) => ({ id, name, revision, receivers });

export async function showChangeForm(call: MonitorVisit): Promise<Response> {
  const { visit, ports, caller } = call;
  const found = await readMonitor(ports, caller, visit.c.req.param('id') ?? '');
  if (!found.ok) return refusePage(visit, found.problem);
  const { monitor } = found.value;
  const page = await buildFormPage(call, { kind: getFormKind(monitor), form: fillMonitorForm(monitor) });
  return showPage(visit.c, renderMonitorForm({ ...page, ...getEditPlace(monitor), isNew: false, isStale: false }));
}

/** The form of a change was sent, with the revision that it was made of: of another one, it is shown again and says so. */
export async function changeByForm(call: MonitorVisit, posted: FormInput): Promise<Response> {
  const { visit, ports, caller } = call;
  const found = await readMonitor(ports, caller, visit.c.req.param('id') ?? '');
  if (!found.ok) return refusePage(visit, found.problem);
  const { monitor: before } = found.value;
  const kind = getFormKind(before);
  const form = toFilled(posted);
  const asked = await readMonitorForm(form, { kind, language: visit.language, free: false, isNew: false });
  const showAgain = async (more: Pick<Shown, 'faults' | 'refusal'>, isStale = false): Promise<Response> => {
    const page = { ...(await buildFormPage(call, { kind, form, ...more })), ...getEditPlace(before) };
    const status = isStale ? CONFLICT : UNPROCESSABLE;
    return showPage(visit.c, renderMonitorForm({ ...page, isNew: false, isStale }), {}, status);
  };
  if (asked.faults.length > 0) return showAgain({ faults: asked.faults });
  const revisions = [Number(posted.get('revision') ?? '')];
  const changed = await changeMonitor(ports, caller, before.id, { body: asked.body, revisions });
  if (changed.ok) {
    const { overview, added } = changed.value;
    const fresh = overview.monitor.receivers.filter(({ id }) => added.includes(id));
    return answerSaved(call, overview.monitor, fresh, 'monitor_saved');
  }
  if (changed.problem.code === 'precondition_failed') return showAgain({}, true);
  return showAgain(explainRefusal(call, changed.problem, asked.fields));
}
