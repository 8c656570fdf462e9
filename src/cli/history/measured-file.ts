import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import {
  isVisibilityRecording,
  loadRecordedPrompts,
  parseVisibilityRecording,
} from '../../capabilities/visibility-recording.ts';
import { versusResult, visibilityResult } from '../../capabilities/visibility-results.ts';
import { computeMinValid } from '../../visibility/run/run.ts';
import { type MeasuredBrand, readMeasuredBrand } from '../../visibility/trend/measured-run.ts';

/** Largest file of a measurement that is read, in bytes. */
const MAX_MEASURED_BYTES = 50 * 1024 * 1024;

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
    if (statSync(path).size > MAX_MEASURED_BYTES) return refuse('larger than 50 MiB');
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return refuse(error instanceof SyntaxError ? 'not JSON' : `cannot be read (${getCode(error)})`);
  }
  if (typeof json === 'object' && json !== null && isVisibilityRecording(json)) return readRecording(json);
  const figures = readMeasuredRates(json);
  return figures === undefined
    ? refuse('neither a snapshot nor the JSON result of a measurement')
    : { ok: true, file: { kind: 'rates', rates: figures } };
}

async function readRecording(json: object): Promise<ReadMeasuredFile> {
  const read = await parseVisibilityRecording(json);
  if (!read.ok) return refuse(read.detail);
  const { run, input } = read.recording;
  const valid = run.answers.filter(({ status }) => status === 'answered').length;
  const needed = computeMinValid(run.answers.length);
  if (valid < needed) return refuse(`only ${valid} of its prompts have a real answer, and ${needed} are needed`);
  const prompts = await loadRecordedPrompts(read.recording);
  const { brand, niche, competitor_brand: competitor } = input;
  const others = competitor === undefined ? [] : [competitor];
  const measured = readMeasuredBrand({ brand, niche, others }, { prompts, runs: [run] });
  return measured === undefined ? refuse('it has no run') : { ok: true, file: { kind: 'answers', measured } };
}

const getCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
