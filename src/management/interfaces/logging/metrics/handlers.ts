import { refuseViolation } from '../../../core/conventions/invalid.ts';
import { listAtHand, putChanged, refuseExistingName } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { isSameJson } from '../../../core/engine/write.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { defineParentHandlers } from '../handlers.ts';
import { PAGE, withNewTimes, withUpdateTime } from '../rows.ts';
import { toTextOrEmpty } from '../schemas.ts';
import {
  formatMetricName,
  listMetricRows,
  METRICS,
  parseMetricName,
  requireMetricRoom,
  requireMetricRow,
  toMetricResource,
} from './rows.ts';
import { readSentMetric } from './schemas.ts';

/** Log-based metrics: kept and judged. Nothing counts them: the vendor's figures are read elsewhere. */
export const handlers: Handlers = {
  ...defineParentHandlers('metrics.list', list),
  ...defineParentHandlers('metrics.get', ({ path }, context) =>
    toMetricResource(requireMetricRow(toTextOrEmpty(path['metricName']), context)),
  ),
  ...defineParentHandlers('metrics.create', create),
  ...defineParentHandlers('metrics.update', update),
  ...defineParentHandlers('metrics.delete', ({ path }, context) => {
    context.store.remove(requireMetricRow(toTextOrEmpty(path['metricName']), context));
    return {};
  }),
};

function list(call: Call, context: Context): JsonObject {
  const items = listMetricRows(toTextOrEmpty(call.path['parent']), context).map((row) => ({
    id: row.id,
    body: toMetricResource(row),
  }));
  return listAtHand({ items: 'metrics', page: PAGE }, items, call, context);
}

function create(call: Call, context: Context): JsonObject {
  const project = toTextOrEmpty(call.path['parent']);
  const { id, body } = readSentMetric(call, project, context);
  return insert(project, id, body, context);
}

/** PUT makes the metric where it is not there (discovery document, metrics.update). */
function update(call: Call, context: Context): JsonObject {
  const name = toTextOrEmpty(call.path['metricName']);
  const { project, id } = parseMetricName(name);
  const sent = readSentMetric(call, project, context);
  if (sent.id !== id) throw refuseViolation('name', `name must be the metric of the path: ${JSON.stringify(id)}.`);
  const before = context.store.get(METRICS, project, id);
  if (before === undefined) return insert(project, id, sent.body, context);
  const { createTime = '', updateTime: _updated, ...was } = before.body;
  if (isSameJson(was, sent.body)) return toMetricResource(before);
  requireMetricRoom(project, { ...sent.body }, id, context);
  return toMetricResource(putChanged(before, withUpdateTime({ ...sent.body, createTime }, context), context));
}

function insert(project: string, id: string, body: JsonObject, context: Context): JsonObject {
  if (context.store.get(METRICS, project, id) !== undefined) throw refuseExistingName(formatMetricName(project, id));
  requireMetricRoom(project, body, id, context);
  const dated = withNewTimes(body, context);
  const row = context.store.insert({ collection: METRICS, parent: project, id, body: dated });
  if (row === undefined) throw refuseExistingName(formatMetricName(project, id));
  return toMetricResource(row);
}
