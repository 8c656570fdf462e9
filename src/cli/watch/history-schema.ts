import * as z from 'zod';
import type { MonitorAlert } from '../../monitors/core/alert.ts';
import { MAX_KEPT_RUNS } from '../../monitors/core/monitor.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import { engineKinds } from '../../models/port.ts';

/** Alerts that the history of an entry keeps; the oldest goes when another comes. */
export const MAX_WATCH_ALERTS = 200;

/** What a history says that it is, so that no other file is taken for one. */
export const HISTORY_FORMAT = 'sightline-watch';
export const HISTORY_VERSION = 1;

const count = z.int().min(0);
const rate = z.object({ value: z.number(), low: z.number(), high: z.number() });
const siteScores = z.record(
  z.string(),
  z
    .object({
      score: z.number(),
      coverage: z.number(),
      gates: z.array(z.string()),
      interval: z.object({ low: z.number(), high: z.number() }).optional(),
    })
    .nullable(),
);
const siteSummary = z.object({
  kind: z.literal('site'),
  rubric: z.object({ version: z.string(), sha256: z.string() }),
  scores: siteScores,
  counts: z.object({ pass: count, partial: count, fail: count, not_applicable: count, unknown: count }),
  startHost: z.string().optional(),
  competitors: z.array(
    z.object({
      url: z.string(),
      scores: siteScores.nullable(),
      missing: z.string().optional(),
      verdicts: z.string().optional(),
    }),
  ),
  verdicts: z.string().optional(),
  unread: z.string().optional(),
});
const measuredRun = z.object({
  runId: z.string(),
  atMs: z.number(),
  engine: z.looseObject({ kind: z.enum(engineKinds), model: z.string().nullable() }),
  servedModels: z.array(z.string()),
  simulated: z.boolean(),
  // JSON has no undefined: a prompt without a real answer is null there.
  named: z.array(
    z
      .boolean()
      .nullable()
      .transform((one) => one ?? undefined),
  ),
});
const brandSummary = z.object({
  kind: z.literal('brand'),
  measured: z.object({
    brand: z.string(),
    niche: z.string(),
    promptSet: z.object({ id: z.string(), sha256: z.string() }),
    runs: z.array(measuredRun),
  }),
  rates: z.array(z.object({ engine: z.string(), rate: rate.nullable(), simulated: z.boolean() })),
  levels: z.array(z.object({ engine: z.string(), since: z.string() })).optional(),
});
const run = z.object({
  id: z.string(),
  monitorId: z.string(),
  dueMs: z.number(),
  cause: z.enum(['first', 'schedule', 'manual']),
  state: z.enum(['stored', 'failed']),
  startedAtMs: z.number().nullable(),
  endedAtMs: z.number().nullable(),
  lateMs: z.number(),
  missed: z.number(),
  reason: z.string().nullable(),
  parts: z.array(
    z.object({
      role: z.enum(['subject', 'competitor']),
      url: z.string().optional(),
      capability: z.string(),
      // It names files of the folder.
      reportId: z.string().regex(/^run_[0-9a-f]{24}-\d{1,16}(?:-c\d)?$/),
      amountMicroUsdc: z.number(),
    }),
  ),
  summary: z.discriminatedUnion('kind', [siteSummary, brandSummary]).nullable(),
  alerts: count,
});

const history = z.object({
  format: z.literal(HISTORY_FORMAT),
  version: z.int(),
  /** Of its entry. */
  id: z.string(),
  name: z.string(),
  /** Newest first, as alerts are. */
  runs: z.array(run).max(MAX_KEPT_RUNS),
  alerts: z
    .array(z.looseObject({ kind: z.string(), key: z.string(), runId: z.string().nullable() }))
    .max(MAX_WATCH_ALERTS),
});

export type EntryHistory = { runs: readonly MonitorRun[]; alerts: readonly MonitorAlert[] };

export type ReadHistory = { ok: true; history: EntryHistory } | { ok: false; detail: string };

const refuse = (detail: string): ReadHistory => ({ ok: false, detail });

/** Reads the text of a history of the entry `id`, or says why it is none. */
export function parseHistory(text: string, id: string): ReadHistory {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuse('is not JSON');
  }
  const version = z.object({ format: z.literal(HISTORY_FORMAT), version: z.int() }).safeParse(json).data?.version;
  if (version === undefined) return refuse('is no history of sightline watch');
  if (version !== HISTORY_VERSION) return refuse(`is of version ${version}, and this build reads ${HISTORY_VERSION}`);
  const read = history.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    return refuse(`is broken at ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
  }
  if (read.data.id !== id) return refuse('is the history of another entry');
  const { runs, alerts } = read.data;
  // Holds: what of them is read is checked above, and the rest is as we wrote it.
  return { ok: true, history: { runs: runs as unknown as MonitorRun[], alerts: alerts as unknown as MonitorAlert[] } };
}
