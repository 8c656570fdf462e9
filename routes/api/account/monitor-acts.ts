import {
  deleteMonitor,
  issueMonitorToken,
  replayDelivery,
  renewReceiverSecret,
  runMonitor,
  sendTestMessage,
} from '../../../src/sales/monitor-api/act-on-monitor.ts';
import { switchMonitor } from '../../../src/sales/monitor-api/change-monitor.ts';
import { readMonitor } from '../../../src/sales/monitor-api/read-monitor.ts';
import type { Monitor } from '../../../src/monitors/core/monitor.ts';
import type { MonitorAnswer } from '../../../src/sales/monitor-api/ports.ts';
import type { Done } from '../../../src/web/account/account-words.ts';
import { formatMonitorPath, MONITORS_PAGE_PATH } from '../../../src/web/monitors/describe-monitor.ts';
import { renderShownOnce, type ShownOnce } from '../../../src/web/monitors/dialogs.tsx';
import { type FormInput, refuseRequest, showPage } from '../pages/pages.ts';
import { type BuildFrame, type MonitorVisit, NO_MONITORS, openMonitorCall } from './monitor-call.ts';
import { changeByForm, createByForm } from './monitor-forms.ts';
import type { AccountSection } from './visit.ts';

type Act = (call: MonitorVisit, id: string, posted: FormInput) => Promise<Response>;

/** What the forms of monitors are sent to, below the address of the list. */
const acts: Readonly<Record<string, Act>> = {
  '': (call, _id, posted) => createByForm(call, posted),
  '/:id/edit': (call, _id, posted) => changeByForm(call, posted),
  '/:id/pause': (call, id, posted) =>
    answerAct(call, posted, switchMonitor(call.ports, call.caller, id, 'paused'), 'monitor_paused'),
  '/:id/resume': (call, id, posted) =>
    answerAct(call, posted, switchMonitor(call.ports, call.caller, id, 'active'), 'monitor_resumed'),
  '/:id/run': (call, id, posted) => answerAct(call, posted, runMonitor(call.ports, call.caller, id), 'monitor_started'),
  '/:id/delete': async (call, id, posted) => {
    const deleted = await deleteMonitor(call.ports, call.caller, id);
    return answerAct(call, posted, Promise.resolve(deleted), 'monitor_deleted', MONITORS_PAGE_PATH);
  },
  '/:id/token': async (call, id) => {
    const issued = await issueMonitorToken(call.ports, call.caller, id);
    if (!issued.ok) return refuseRequest(call.visit.c, issued.problem);
    return showOnce(call, issued.value.overview.monitor, { receivers: [], token: issued.value.token });
  },
  '/:id/receivers/:receiver/test': (call, id, posted) =>
    answerAct(
      call,
      posted,
      sendTestMessage(call.ports, call.caller, id, getParam(call, 'receiver')),
      'receiver_tested',
    ),
  '/:id/receivers/:receiver/rotate': async (call, id) => {
    const { visit, ports, caller } = call;
    const rotated = await renewReceiverSecret(ports, caller, id, getParam(call, 'receiver'));
    if (!rotated.ok) return refuseRequest(visit.c, rotated.problem);
    const found = await readMonitor(ports, caller, id);
    if (!found.ok) return refuseRequest(visit.c, found.problem);
    return showOnce(call, found.value.monitor, { receivers: [rotated.value] });
  },
  '/:id/deliveries/:delivery/replay': (call, id, posted) =>
    answerAct(
      call,
      posted,
      replayDelivery(call.ports, call.caller, id, getParam(call, 'delivery')),
      'delivery_replayed',
    ),
};

const getParam = ({ visit }: MonitorVisit, name: string): string => visit.c.req.param(name) ?? '';

export const listMonitorActs = (frameOf: BuildFrame): NonNullable<AccountSection['actions']> =>
  Object.entries(acts).map(([path, act]) => ({
    path: `${MONITORS_PAGE_PATH}${path}` as const,
    run: async (visit, posted) => {
      const call = openMonitorCall(visit, frameOf(visit));
      return call === undefined ? refuseRequest(visit.c, NO_MONITORS) : act(call, getParam(call, 'id'), posted);
    },
  }));

/** Back to the monitor, which says what was done. */
async function answerAct<T>(
  { visit: { c } }: MonitorVisit,
  posted: FormInput,
  asked: Promise<MonitorAnswer<T>>,
  done: Done,
  path?: string,
): Promise<Response> {
  const answer = await asked;
  if (!answer.ok) return refuseRequest(c, answer.problem);
  if (!posted.form) return c.json({ ok: true });
  return c.redirect(`${path ?? formatMonitorPath(c.req.param('id') ?? '')}?done=${done}`, 303);
}

const showOnce = ({ visit: { c }, frame, ports }: MonitorVisit, monitor: Monitor, shown: ShownOnce) =>
  showPage(c, renderShownOnce({ frame, monitor, baseUrl: ports.baseUrl, shown }), { script: true });
