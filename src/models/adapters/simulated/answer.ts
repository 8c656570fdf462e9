import type { EngineAnswer, AnswerEngine, AnswerFailure, AnswerPrompt } from '../../port.ts';
import { createRandomFromSeed } from '../../../lib/seeded-random.ts';
import { MAX_BRANDS, MAX_BRAND_NAME_CHARS, findNamesFault } from './names.ts';
import { type Cast, type Draws, writeAnswer } from './writer.ts';

/** A brand of the simulated market. Probabilities are 0 to 1. */
export type SimulatedBrand = {
  name: string;
  /** True probability that an answer names the brand. */
  mention: number;
  /** Probability that an answer which names it also recommends it; 0.75 unless given. */
  recommend?: number;
  /** Takes the place of `mention` for prompts of an intent. */
  byIntent?: Readonly<Record<string, number>>;
};

/** What the answer to a prompt says about a brand, by the definitions of test/visibility/labelled. */
export type BrandTruth = { name: string; mentioned: boolean; recommended: boolean };

type SimulatedMarket = { seed: string; brands: readonly SimulatedBrand[] };

/** An invented market: none of these is a company. Over the six intents "Example Desk" is in 40 % of the answers. */
export const demoBrands: readonly SimulatedBrand[] = [
  { name: 'Example Desk', mention: 0.48, byIntent: { price: 0.24, trust: 0.24 } },
  { name: 'Sample Support', mention: 0.55 },
  { name: 'Brindlewick', mention: 0.7, recommend: 0.8 },
  { name: 'TicketFern', mention: 0.45 },
  { name: 'Tarn-Ostrey', mention: 0.4, byIntent: { price: 0.6 } },
  { name: 'Quillmoor', mention: 0.35 },
  { name: 'Velmarrow & Pine', mention: 0.3, byIntent: { trust: 0.5 } },
  { name: 'Ansfer', mention: 0.3, recommend: 0.6 },
  { name: 'Thereabouts', mention: 0.25 },
  { name: 'Ponsiv', mention: 0.2, recommend: 0.5 },
  { name: 'Móravik', mention: 0.15 },
  { name: 'Orw', mention: 0.12 },
];

/**
 * Reads "Acme=0.4,Beta Corp=0.7": names with the probability that an answer names them, as decimals from 0 to 1. At most
 * 30 brands, names of 1 to 120 characters that `findNamesFault` accepts. `detail` is in our words and quotes nothing.
 */
export function parseBrands(
  text: string,
): { ok: true; brands: readonly SimulatedBrand[] } | { ok: false; detail: string } {
  if (text.length > MAX_LIST_CHARS) return { ok: false, detail: `the list has over ${MAX_LIST_CHARS} characters` };
  if (text.trim() === '') return { ok: false, detail: 'there is no brand' };
  const brands: SimulatedBrand[] = [];
  for (const [at, entry] of text.split(',').entries()) {
    const [name = '', probability, ...more] = entry.split('=');
    if (probability === undefined || more.length > 0)
      return { ok: false, detail: `brand ${at + 1} is not written as name=probability` };
    const mention = parseProbability(probability);
    if (mention === undefined) return { ok: false, detail: `brand ${at + 1} has no probability from 0 to 1` };
    brands.push({ name: name.trim(), mention });
  }
  const detail = findNamesFault(brands.map(({ name }) => name));
  return detail === undefined ? { ok: true, brands } : { ok: false, detail };
}

/**
 * An engine that writes invented answers about an invented market, so that the truth behind a measurement is known: see
 * `computeSimulatedTruth`. An answer depends on `seed`, `brands` and the prompt's text and intent alone. Brands and prompts are drawn
 * independently, with probabilities that hold to one in 2^32. Markdown of 1,200 to 3,500 characters for 30 brands with
 * names of up to 20 characters (longer names may take more), always finished, without citations and token counts.
 * @param delay waits as a real engine would; it must settle when its signal aborts.
 * @returns an engine whose only failure is `timeout`: the signal was aborted before there was an answer.
 * @throws Error when the brands could not be simulated truthfully: probabilities outside 0 to 1, names `findNamesFault` refuses.
 */
export function createSimulatedEngine({
  seed,
  brands,
  model = 'simulated-1',
  delay = () => Promise.resolve(),
}: SimulatedMarket & { model?: string | undefined; delay?: (signal: AbortSignal) => Promise<void> }): AnswerEngine {
  const fault = findMarketFault(brands);
  if (fault !== undefined) throw new Error(`The simulated engine cannot use these brands: ${fault}.`);
  return {
    kind: 'simulated',
    model,
    answer: async (prompt, signal) => {
      const stopped = await isStopped(delay, signal);
      return stopped ? STOPPED : buildSimulatedAnswer(writeSimulatedText({ seed, brands }, prompt), model);
    },
  };
}

/** What the engine with this seed and these brands says about each of them in its answer to a prompt, in their order. */
export const computeSimulatedTruth = ({ seed, brands }: SimulatedMarket, prompt: AnswerPrompt): readonly BrandTruth[] =>
  brands.map((brand) => {
    const { name, role } = drawRole(seed, brand, prompt);
    return { name, mentioned: role !== 'absent', recommended: role === 'recommended' };
  });

const MAX_LIST_CHARS = MAX_BRANDS * (MAX_BRAND_NAME_CHARS + 20);
const DEFAULT_RECOMMEND = 0.75;
/** Of the answers that name a brand without recommending it, those that advise against it; the others compare. */
const AVOIDED_SHARE = 0.2;

const STOPPED: AnswerFailure = {
  ok: false,
  reason: 'timeout',
  detail: 'the simulated answer was stopped before it was written',
  retryable: true,
};

const buildSimulatedAnswer = (text: string, model: string): EngineAnswer => ({
  ok: true,
  text,
  servedModel: model,
  finishReason: 'stop',
  citations: undefined,
  usage: { inputTokens: undefined, outputTokens: undefined },
});

async function isStopped(delay: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<boolean> {
  try {
    if (!signal.aborted) await delay(signal);
  } catch (error) {
    // A delay may end early by rejecting. Anything else that it rejects with is a bug of its own.
    if (!signal.aborted) throw error;
  }
  return signal.aborted;
}

function writeSimulatedText({ seed, brands }: SimulatedMarket, prompt: AnswerPrompt): string {
  const draws = createDraws('write', seed, prompt.text);
  const drawn = shuffleList(
    brands.map((brand) => drawRole(seed, brand, prompt)),
    draws,
  );
  const named = (role: keyof Cast): readonly string[] =>
    drawn.filter((brand) => brand.role === role).map(({ name }) => name);
  return writeAnswer(
    {
      recommended: named('recommended'),
      compared: named('compared'),
      avoided: named('avoided'),
      absent: named('absent'),
    },
    draws,
  );
}

/** Each brand has a stream of its own, so that draws for one reveal nothing about another. */
function drawRole(seed: string, brand: SimulatedBrand, prompt: AnswerPrompt): { name: string; role: keyof Cast } {
  const { name, mention, recommend = DEFAULT_RECOMMEND, byIntent } = brand;
  const draws = createDraws('brand', seed, prompt.text, name);
  if (draws() >= (byIntent?.[prompt.intent] ?? mention)) return { name, role: 'absent' };
  if (draws() < recommend) return { name, role: 'recommended' };
  return { name, role: draws() < AVOIDED_SHARE ? 'avoided' : 'compared' };
}

/** As JSON, so that no two lists of texts give one seed. */
const createDraws = (...texts: readonly string[]): Draws => createRandomFromSeed(JSON.stringify(texts));

/** A copy in which every order is equally probable (Fisher-Yates). */
function shuffleList<T>(list: readonly T[], draws: Draws): readonly T[] {
  const left = [...list];
  return list.flatMap(() => left.splice(Math.floor(draws() * left.length), 1));
}

function findMarketFault(brands: readonly SimulatedBrand[]): string | undefined {
  const probabilities = brands.flatMap(({ mention, recommend = DEFAULT_RECOMMEND, byIntent = {} }) => [
    mention,
    recommend,
    ...Object.values(byIntent),
  ]);
  if (!probabilities.every(isProbability)) return 'a probability is not from 0 to 1';
  return findNamesFault(brands.map(({ name }) => name));
}

const isProbability = (value: number): boolean => value >= 0 && value <= 1;

function parseProbability(text: string): number | undefined {
  if (!/^(?:\d(?:\.\d{1,9})?|\.\d{1,9})$/u.test(text.trim())) return undefined;
  const value = Number(text.trim());
  return isProbability(value) ? value : undefined;
}
