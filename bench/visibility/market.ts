import { type CollectedRun, type RunAnswer, collect, openRun } from '../../src/visibility/run/run.ts';
import { type Prompt, buildPrompts } from '../../src/visibility/run/prompts.ts';
import { buildRunAnswer } from '../../src/visibility/run/consume.ts';
import { type SimulatedBrand, createSimulatedEngine } from '../../src/models/adapters/simulated/answer.ts';
import { classifyAnswer } from '../../src/visibility/refusals/refusals.ts';

export const NICHE = 'help desk software';
export const prompts: readonly Prompt[] = buildPrompts(NICHE);

/** Measured for their intervals, from rarely named to nearly always. */
export const probes = ['TicketFern', 'Quillmoor', 'Example Desk', 'Brindlewick'] as const;
/** Two brands that are named equally often, rarely or in every other answer: neither may win. */
export const equals = [
  ['Example Desk', 'Sample Support'],
  ['Quillmoor', 'Tarn-Ostrey'],
] as const;
/** Two of which the first is named much more often. */
export const unequal = ['Example Desk', 'Quillmoor'] as const;

/** An invented market whose answers name four brands on average, as answers of real assistants do. */
export const market: readonly SimulatedBrand[] = [
  { name: 'TicketFern', mention: 0.05 },
  { name: 'Quillmoor', mention: 0.2 },
  { name: 'Tarn-Ostrey', mention: 0.2 },
  { name: 'Example Desk', mention: 0.5 },
  { name: 'Sample Support', mention: 0.5 },
  { name: 'Brindlewick', mention: 0.8 },
  { name: 'Móravik', mention: 0.4 },
  { name: 'Ponsiv', mention: 0.35 },
  { name: 'Velmarrow & Pine', mention: 0.3 },
  { name: 'Ansfer', mention: 0.3 },
  { name: 'Thereabouts', mention: 0.25 },
  { name: 'Orw', mention: 0.15 },
];

/** What an answer says of a brand in truth: the probability that it names it, and its share of all expected mentions. */
export function trueRates(name: string): { mention: number; share: number } {
  const mention = market.find((brand) => brand.name === name)?.mention;
  if (mention === undefined) throw new Error(`nobody is called ${name}`);
  return { mention, share: mention / market.reduce((sum, brand) => sum + brand.mention, 0) };
}

/** Texts of the 30 answers of a simulated run, in the order of the prompts. */
export async function simulatedTexts(seed: string): Promise<readonly string[]> {
  const engine = createSimulatedEngine({ seed, brands: market });
  const { signal } = new AbortController();
  return Promise.all(
    prompts.map(async (prompt) => {
      const answer = await engine.answer(prompt, signal);
      if (!answer.ok) throw new Error(answer.detail);
      return answer.text;
    }),
  );
}

/** A run as it is collected when every prompt got the text of its place. `number` tells runs apart and seeds their bootstrap. */
export async function collectedRun(texts: readonly string[], number: number): Promise<CollectedRun> {
  const request = {
    niche: NICHE,
    promptSet: { id: 'v1', sha256: '' },
    prompts,
    engine: { kind: 'simulated', model: 'simulated-1' },
    runMs: 0,
    callMs: 0,
  } as const;
  const kept = await Promise.all(texts.map(keptText));
  return collect(openRun(request, number.toString(16).padStart(32, '0'), 0), kept, 1);
}

const keptText = (text: string, index: number): Promise<RunAnswer> =>
  buildRunAnswer(
    { prompt: requirePrompt(index), niche: NICHE },
    {
      ok: true,
      text,
      servedModel: 'simulated-1',
      finishReason: 'stop',
      citations: undefined,
      usage: { inputTokens: undefined, outputTokens: undefined },
    },
    classifyAnswer,
  );

function requirePrompt(index: number): Prompt {
  const prompt = prompts[index];
  if (prompt === undefined) throw new RangeError(`there is no prompt ${index}`);
  return prompt;
}
