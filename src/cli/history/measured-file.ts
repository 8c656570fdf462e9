import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import { isPanelRecording, parsePanelRecording } from '../../capabilities/panel-recording.ts';
import { loadAskedPrompts } from '../../capabilities/visibility-questions.ts';
import {
  isVisibilityRecording,
  loadRecordedPrompts,
  parseVisibilityRecording,
  type StoredRuns,
} from '../../capabilities/visibility-recording.ts';
import { versusResult, visibilityResult } from '../../capabilities/visibility-results.ts';
import { type MeasuredBrand, readMeasuredBrand } from '../../visibility/trend/measured-run.ts';

/** Largest file of a measurement that is read, in bytes. */
export const MAX_MEASURED_BYTES = 50 * 1024 * 1024;
/** What is said of a larger one. */
export const TOO_LARGE = `larger than ${MAX_MEASURED_BYTES / (1024 * 1024)} MiB`;

/** As much of a JSON result as can be compared where its answers are not there. */
const rates = visibilityResult.pick({ brand: true, niche: true, mention_rate: true, engine: true }).extend({
  prompts: z.object({ set: z.string(), sha256: z.string() }),
});
export type MeasuredRates = z.infer<typeof rates>;

/** The figures of a result; of a comparison those of its first brand. Undefined for any other JSON. */
export function readMeasuredRates(json: unknown): MeasuredRates | undefined {
  const pair = versusResult.safeParse(json).data;
  return rates.safeParse(pair === undefined ? json : { ...pair, mention_rate: pair.brands.brand.mention_rate }).data;
}

/** A measurement of before: with its answers, which are paired, or only its figures. */
export type MeasuredFile = { kind: 'answers'; measured: MeasuredBrand } | { kind: 'rates'; rates: MeasuredRates };

export type ReadMeasuredFile = { ok: true; file: MeasuredFile } | { ok: false; detail: string };

const refuse = (detail: string): ReadMeasuredFile => ({ ok: false, detail });

/** Reads the snapshot of a measurement, or its JSON result. */
export async function readMeasuredFile(path: string): Promise<ReadMeasuredFile> {
  let json: unknown;
  try {
    if (statSync(path).size > MAX_MEASURED_BYTES) return refuse(TOO_LARGE);
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return refuse(error instanceof SyntaxError ? 'not JSON' : `cannot be read (${getCode(error)})`);
  }
  if (typeof json === 'object' && json !== null) {
    if (isPanelRecording(json)) return readPanel(json);
    if (isVisibilityRecording(json)) return readRecording(json);
  }
  const figures = readMeasuredRates(json);
  return figures === undefined
    ? refuse('neither a snapshot nor the JSON result of a measurement')
    : { ok: true, file: { kind: 'rates', rates: figures } };
}

async function readRecording(json: object): Promise<ReadMeasuredFile> {
  const read = await parseVisibilityRecording(json);
  if (!read.ok) return refuse(read.detail);
  const { run, input } = read.recording;
  const prompts = await loadRecordedPrompts(read.recording);
  const { brand, niche, competitor_brand: competitor } = input;
  const others = competitor === undefined ? [] : [competitor];
  return measure({ brand, niche, others }, { prompts, runs: [run] });
}

async function readPanel(json: object): Promise<ReadMeasuredFile> {
  const read = await parsePanelRecording(json);
  if (!read.ok) return refuse(read.detail);
  const { input, runs } = read.recording;
  const { brand, niche, competitors = [], questions } = input;
  const { prompts } = await loadAskedPrompts(niche, questions);
  return measure({ brand, niche, others: competitors }, { prompts, runs });
}

function measure(asked: Parameters<typeof readMeasuredBrand>[0], stored: StoredRuns): ReadMeasuredFile {
  const measured = readMeasuredBrand(asked, stored);
  return measured === undefined
    ? refuse('too few of its prompts have a real answer')
    : { ok: true, file: { kind: 'answers', measured } };
}

const getCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
