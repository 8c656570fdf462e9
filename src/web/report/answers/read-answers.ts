import { escapeControls } from '../../../lib/safe-text.ts';
import {
  compileName,
  findNameSpans,
  hasName,
  type NameMatcher,
  type Presence,
} from '../../../visibility/names/mentions.ts';
import { buildTallies } from '../../../visibility/metrics/metrics.ts';
import { type MeasuredSide, readRun } from '../../../visibility/metrics/readings.ts';
import type { Prompt } from '../../../visibility/run/prompts.ts';
import type { CollectedRun, RunAnswer } from '../../../visibility/run/run.ts';
import { type AnswerStructure, parseStructure } from '../../../visibility/structure/structure.ts';
import type {
  AnswerOutcome,
  AnswerPiece,
  ShownAnswer,
  ShownBlock,
  ShownMention,
  ShownRun,
  ShownSource,
} from './shown-answer.ts';

/** Characters of one answer on the page; its files and its run have all of them. */
export const MAX_SHOWN_ANSWER_CHARS = 12_000;
/** Rivals that are marked: the table of names has no more. */
const MAX_MARKED_RIVALS = 30;

type Named = { name: string; matcher: NameMatcher; mark: NonNullable<AnswerPiece['mark']> };

/**
 * The answers of a run, read as the measurement reads them: what is marked is what was counted.
 * @param brands the measured brands
 */
export function readAnswers(run: CollectedRun, prompts: readonly Prompt[], brands: readonly string[]): ShownRun {
  const sides = readRun(run, brands, prompts);
  const structures = new Map(
    run.answers.flatMap((one) => (one.status === 'failed' ? [] : [[one.index, parseStructure(one.text)] as const])),
  );
  const answered = run.answers.filter(({ status }) => status === 'answered');
  const corpus = answered.flatMap(({ index }) => structures.get(index) ?? []);
  const rivals = buildTallies(sides[0]?.readings ?? [])
    .map(({ name }) => name)
    .filter((name) => !brands.includes(name))
    .slice(0, MAX_MARKED_RIVALS);
  const names = compileNames(corpus, brands, rivals);
  const { name, kind, model } = run.engine;
  return {
    runId: run.runId,
    engine: name ?? kind,
    model,
    answers: run.answers.map((one): ShownAnswer => {
      if (one.status === 'failed') return { index: one.index, status: one.status, reason: one.reason };
      const structure = structures.get(one.index) ?? { blocks: [] };
      return one.status === 'refused'
        ? { index: one.index, status: one.status, refusal: one.refusal, ...receive(one, structure, []) }
        : readAnswer(one, structure, { sides, names, brands });
    }),
  };
}

type ReceivedRunAnswer = Exclude<RunAnswer, { status: 'failed' }>;

const receive = (
  { text, servedModel, finishReason, sha256 }: ReceivedRunAnswer,
  structure: AnswerStructure,
  names: readonly Named[],
) => ({ ...showBlocks(structure, names), text, model: servedModel, finish: finishReason, sha256 });

type Reading = { sides: readonly MeasuredSide[]; names: readonly Named[]; brands: readonly string[] };

function readAnswer(
  one: Extract<RunAnswer, { status: 'answered' }>,
  structure: AnswerStructure,
  { sides, names, brands }: Reading,
): ShownAnswer {
  const readings = sides.map((side) => side.readings.find(({ index }) => index === one.index));
  const others = readings[0]?.others.filter((other) => !brands.includes(other.name)) ?? [];
  const known = new Set(others.map(({ name }) => name));
  const counted = names.filter(({ mark, name }) => mark !== 'rival' || known.has(name));
  const own = readings.flatMap((reading, place): ShownMention[] => {
    const outcome = describeOutcome(reading?.own);
    if (outcome === 'absent') return [];
    const whose = place === 0 ? 'brand' : 'competitor';
    return [{ name: brands[place] ?? '', whose, outcome, quote: reading?.own.quote ?? '' }];
  });
  return {
    index: one.index,
    status: one.status,
    outcomes: readings.map((reading) => describeOutcome(reading?.own)),
    rivals: counted.filter(({ mark }) => mark === 'rival').map(({ name }) => name),
    mentions: [
      ...own,
      ...others.map(({ name, recommended, quote }): ShownMention => ({
        name,
        whose: 'rival',
        outcome: recommended ? 'recommended' : 'named',
        quote,
      })),
    ],
    sources: listSources(one),
    ...receive(one, structure, counted),
  };
}

/** The pages that the engine gave, in its order; addresses without a title where it says no more. */
const listSources = ({
  sources,
  citations,
}: Extract<RunAnswer, { status: 'answered' }>): readonly ShownSource[] | undefined =>
  sources?.map(({ url, title }) => ({ url, title })) ?? citations?.map((url) => ({ url }));

function compileNames(
  structures: readonly AnswerStructure[],
  brands: readonly string[],
  rivals: readonly string[],
): readonly Named[] {
  const corpus = structures.map(({ blocks }) => blocks.map(({ text }) => text).join('\n'));
  const all = [...brands, ...rivals];
  const listLonger = (name: string): readonly string[] =>
    all.filter((other) => other.length > name.length && other.toLowerCase().includes(name.toLowerCase()));
  const own = brands.map((name, place) => {
    const longer = brands.filter((other) => other !== name && hasName(other, name));
    return { name, matcher: compileName(name, corpus, longer), mark: place === 0 ? 'brand' : 'second' } as const;
  });
  return [
    ...own,
    ...rivals.map((name) => ({ name, matcher: compileName(name, [], listLonger(name)), mark: 'rival' as const })),
  ];
}

function describeOutcome(own: Pick<Presence, 'mentioned' | 'recommended' | 'negative'> | undefined): AnswerOutcome {
  if (own?.mentioned !== true) return 'absent';
  if (own.recommended) return 'recommended';
  return own.negative ? 'warned' : 'named';
}

function showBlocks(
  structure: AnswerStructure,
  names: readonly Named[],
): { blocks: readonly ShownBlock[]; hiddenChars: number } {
  const marks = names.map(({ matcher, mark }) => ({ mark, spans: findNameSpans(structure, matcher) }));
  const blocks: ShownBlock[] = [];
  let left = MAX_SHOWN_ANSWER_CHARS;
  let hiddenChars = 0;
  for (const [index, { kind, depth, text }] of structure.blocks.entries()) {
    const shown = text.slice(0, left).replace(/\p{Cs}$/u, '');
    hiddenChars += text.length - shown.length;
    left -= shown.length;
    if (shown === '') continue;
    const spans = marks.flatMap(({ mark, spans: all }) => (all[index] ?? []).map((span) => ({ ...span, mark })));
    blocks.push({ kind, depth, pieces: cutPieces(shown, spans) });
  }
  return { blocks, hiddenChars };
}

type MarkedSpan = { from: number; to: number; mark: Named['mark'] };

/** The text in pieces. Of names that overlap, the one of the brand and then the longer one is marked. */
function cutPieces(text: string, spans: readonly MarkedSpan[]): readonly AnswerPiece[] {
  const kept: MarkedSpan[] = [];
  for (const span of spans)
    if (span.to <= text.length && !kept.some((one) => span.from < one.to && one.from < span.to)) kept.push(span);
  const pieces: AnswerPiece[] = [];
  let at = 0;
  for (const { from, to, mark } of kept.toSorted((one, other) => one.from - other.from)) {
    pieces.push({ text: escapeControls(text.slice(at, from)) }, { text: escapeControls(text.slice(from, to)), mark });
    at = to;
  }
  pieces.push({ text: escapeControls(text.slice(at)) });
  return pieces.filter((piece) => piece.text !== '');
}
