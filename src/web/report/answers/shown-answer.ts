import type { FailureReason, FinishReason } from '../../../models/port.ts';
import type { RefusalKind } from '../../../visibility/refusals/refusal-kinds.ts';
import type { Prompt } from '../../../visibility/run/prompts.ts';
import type { AnswerBlock } from '../../../visibility/structure/structure.ts';

/** What an answer does with a brand that was asked about. `warned`: it advises against it. */
export const answerOutcomes = ['recommended', 'named', 'warned', 'absent'] as const;
export type AnswerOutcome = (typeof answerOutcomes)[number];

/** A stretch of an answer: plain text, or a name with whose it is. */
export type AnswerPiece = { text: string; mark?: 'brand' | 'second' | 'rival' | undefined };

export type ShownBlock = Pick<AnswerBlock, 'kind' | 'depth'> & { pieces: readonly AnswerPiece[] };

/** A page that the engine gives for an answer, as it gave it: the address may be anything. */
export type ShownSource = { url: string; title?: string | undefined };

/** One name in one answer, with a literal sentence of it. Of rivals it is not read whether an answer warns of them. */
export type ShownMention = {
  name: string;
  whose: 'brand' | 'competitor' | 'rival';
  outcome: Exclude<AnswerOutcome, 'absent'>;
  quote: string;
};

/** What came of a prompt, and what it is checked by. */
type ReceivedAnswer = {
  blocks: readonly ShownBlock[];
  /** Characters that are not shown: an answer without end would hide all others. */
  hiddenChars: number;
  /** The text as it came. */
  text: string;
  model: string | undefined;
  finish: FinishReason;
  sha256: string;
};

/** What an engine made of one prompt. */
export type ShownAnswer = { index: number } & (
  | (ReceivedAnswer & {
      status: 'answered';
      /** One for each brand that was measured, in their order. */
      outcomes: readonly AnswerOutcome[];
      /** Rivals that it names, the most named of the run first. */
      rivals: readonly string[];
      mentions: readonly ShownMention[];
      /** Undefined when the engine gives none to anyone. */
      sources: readonly ShownSource[] | undefined;
    })
  | (ReceivedAnswer & { status: 'refused'; refusal: RefusalKind })
  | { status: 'failed'; reason: FailureReason }
);

/** The answers of one engine, one for each prompt. */
export type ShownRun = { runId: string; engine: string; model: string; answers: readonly ShownAnswer[] };

/** The answers behind a measurement, read once for its page and its files. */
export type ShownAnswers = {
  /** The measured brands. */
  brands: readonly string[];
  prompts: readonly Prompt[];
  runs: readonly ShownRun[];
};
