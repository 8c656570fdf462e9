import { escapeControls } from '../../../lib/safe-text.ts';
import {
  compileName,
  findNameSpans,
  hasName,
  type NameMatcher,
  type Presence,
} from '../../../visibility/names/mentions.ts';
import { readRun, selectValidAnswers } from '../../../visibility/metrics/readings.ts';
import type { Prompt } from '../../../visibility/run/prompts.ts';
import type { CollectedRun } from '../../../visibility/run/run.ts';
import { type AnswerStructure, parseStructure } from '../../../visibility/structure/structure.ts';
import type { AnswerOutcome, AnswerPiece, ShownAnswer, ShownBlock } from './shown-answer.ts';

/** Characters of one answer on the page; its CSV and its run have all of them. */
export const MAX_SHOWN_ANSWER_CHARS = 12_000;
/** Rivals that are marked: the table of names has no more. */
const MAX_MARKED_RIVALS = 30;

type Names = { brands: readonly string[]; rivals: readonly string[] };
type Named = { name: string; matcher: NameMatcher; mark: NonNullable<AnswerPiece['mark']> };

/**
 * The answers of a run, read as the measurement reads them: what is marked is what was counted.
 * @param names the measured brands, and the rivals that the report lists.
 */
export function readAnswers(
  run: CollectedRun,
  prompts: readonly Prompt[],
  { brands, rivals }: Names,
): readonly ShownAnswer[] {
  const answers = selectValidAnswers(run);
  const structures = answers.map(({ text }) => parseStructure(text));
  const sides = readRun(run, brands, prompts);
  const names = compileNames(structures, {
    brands,
    rivals: rivals.filter((name) => !brands.includes(name)).slice(0, MAX_MARKED_RIVALS),
  });
  return answers.map(({ index, text }, place) => {
    const others = new Set(sides[0]?.readings[place]?.others.map(({ name }) => name));
    const counted = names.filter(({ mark, name }) => mark !== 'rival' || others.has(name));
    return {
      index,
      outcomes: sides.map(({ readings }) => describeOutcome(readings[place]?.own)),
      rivals: counted.filter(({ mark }) => mark === 'rival').map(({ name }) => name),
      ...showBlocks(structures[place] ?? { blocks: [] }, counted),
      text,
    };
  });
}

function compileNames(structures: readonly AnswerStructure[], { brands, rivals }: Names): readonly Named[] {
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

function describeOutcome(own: Pick<Presence, 'mentioned' | 'recommended'> | undefined): AnswerOutcome {
  if (own?.mentioned !== true) return 'absent';
  return own.recommended ? 'recommended' : 'named';
}

function showBlocks(structure: AnswerStructure, names: readonly Named[]): Pick<ShownAnswer, 'blocks' | 'hiddenChars'> {
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
