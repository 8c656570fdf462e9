import { decodePercent } from '../../../../lib/percent.ts';
import { refuseMissingName } from '../../../core/engine/named-collection.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { refuseLogLimit } from '../refusals.ts';

/** Rows of log-based metrics: parent = project, id = the metric's, slashes and all. */
export const METRICS = 'logging.metrics';
/** Metrics of a project (the vendor's). */
const MAX_METRICS = 500;
/** Characters of all metrics of a project: a list reads them (rule K9). */
const MAX_METRICS_CHARS = 4_000_000;
const NAME = /^(projects\/[^/]+)\/metrics\/([^/]+)$/;

/** Room for one more metric, or for another body of the one with this id. @throws Refusal */
export function requireMetricRoom(project: string, body: JsonObject, id: string, context: Context): void {
  const others = listMetricRows(project, context).filter((row) => row.id !== id);
  if (others.length >= MAX_METRICS) throw refuseLogLimit(`A project has at most ${MAX_METRICS} metrics`);
  const chars = others.reduce((sum, row) => sum + JSON.stringify(row.body).length, JSON.stringify(body).length);
  if (chars > MAX_METRICS_CHARS) throw refuseLogLimit('The metrics of the project are too long together');
}

export const listMetricRows = (project: string, context: Context): readonly ResourceRow[] =>
  context.store.list({ collection: METRICS, parent: project, limit: MAX_METRICS }).map(({ row }) => row);

export const formatMetricName = (project: string, id: string): string => `${project}/metrics/${encodeURIComponent(id)}`;

/** @throws Refusal 404 */
export function requireMetricRow(name: string, context: Context): ResourceRow {
  const { project, id } = parseMetricName(name);
  const row = context.store.get(METRICS, project, id);
  if (row === undefined) throw refuseMissingName(name);
  return row;
}

/** `projects/p/metrics/a%2Fb` names the metric `a/b`. @throws Refusal 404 for what can name none */
export function parseMetricName(name: string): { project: string; id: string } {
  const [, project, sent] = NAME.exec(name) ?? [];
  const id = sent === undefined ? undefined : decodePercent(sent);
  if (project === undefined || id === undefined) throw refuseMissingName(name);
  return { project, id };
}

/** A metric as callers see it: its descriptor has what follows from its name. */
export function toMetricResource({ parent, id, body }: ResourceRow): JsonObject {
  const { metricDescriptor, ...rest } = body;
  const type = `logging.googleapis.com/user/${id}`;
  const { description } = body;
  return {
    name: id,
    resourceName: formatMetricName(parent, id),
    ...rest,
    metricDescriptor: {
      ...(metricDescriptor as JsonObject | undefined), // Each metric is stored with one (schemas.ts).
      name: `${parent}/metricDescriptors/${type}`,
      type,
      ...(description !== undefined && { description }),
    },
    version: 'V2',
  };
}
