import { isSameAnswerer } from '../../visibility/trend/history.ts';
import type { MeasuredRun } from '../../visibility/trend/measured-run.ts';
import type { AlertChange, AlertDraft } from '../core/alert.ts';
import type { MonitorRun } from '../core/run.ts';
import { formatAlertTitle } from './alert-words.ts';
import type { EngineSeen } from './brand-series.ts';
import { getRunTime } from './site-changes.ts';

/** Runs of an engine in which a model is remembered: one that comes and goes with another is said once. */
const FAMILIAR_RUNS = 8;

/** Another model answers: said once, for all engines of a run, without a verdict on the brand. */
export function buildModelAlerts(
  seen: readonly EngineSeen[],
  history: readonly MonitorRun[],
  reportId: string | undefined,
): readonly AlertDraft[] {
  const changed = seen.flatMap((engine) => {
    const last = engine.earlier.at(-1);
    const isFamiliar = engine.earlier.slice(-FAMILIAR_RUNS).some(({ run }) => isSameAnswerer(run, engine.now.run));
    return last === undefined || isFamiliar ? [] : [{ engine, last }];
  });
  const [first] = changed;
  if (first === undefined) return [];
  const since = history.find(({ id }) => id === first.last.runId);
  const compared = since?.parts.find(({ role }) => role === 'subject')?.reportId;
  const changes = changed.map(({ engine: { engine, now }, last }): AlertChange => ({
    id: engine,
    title: engine,
    kind: 'model_changed',
    before: { text: describeModel(last.run) },
    after: { text: describeModel(now.run) },
    ...(now.run.simulated ? { simulated: true } : {}),
  }));
  const draft: Omit<AlertDraft, 'title'> = {
    kind: 'model_changed',
    severity: 'info',
    key: `model ${changes.map(({ id, after }) => `${id} ${after?.text ?? ''}`).join(', ')} since ${first.last.runId}`,
    changes,
    since: since
      ? { runId: since.id, atMs: getRunTime(since), ...(compared === undefined ? {} : { reportId: compared }) }
      : null,
    ...(reportId === undefined ? {} : { reportId }),
  };
  return [{ ...draft, title: formatAlertTitle(draft) }];
}

/** Who answers, as far as it decides what compares. */
export function describeModel({ engine, servedModels }: MeasuredRun): string {
  const names = servedModels.length === 0 ? engine.model : servedModels.join(', ');
  const search = engine.webSearch === true ? ', with web search' : '';
  return `${names}${search}${engine.country === undefined ? '' : `, from ${engine.country}`}`;
}
