import type { AnswerBlock } from '../../../visibility/structure/structure.ts';
import type { Measurement } from '../parts/words.ts';

/** What an answer does with a brand that was asked about. */
export type AnswerOutcome = 'recommended' | 'named' | 'absent';

/** A stretch of an answer: plain text, or a name with whose it is. */
export type AnswerPiece = { text: string; mark?: 'brand' | 'second' | 'rival' | undefined };

export type ShownBlock = Pick<AnswerBlock, 'kind' | 'depth'> & { pieces: readonly AnswerPiece[] };

/** An answer as the page shows it. */
export type ShownAnswer = {
  index: number;
  /** One for each brand that was measured, in their order. */
  outcomes: readonly AnswerOutcome[];
  /** Rivals that it names, in the order of the table of names. */
  rivals: readonly string[];
  blocks: readonly ShownBlock[];
  /** Characters that are not shown: an answer without end would hide all others. */
  hiddenChars: number;
  /** The answer as it came. */
  text: string;
};

/** The answers behind a measurement, read once for its page and its CSV. */
export type ShownAnswers = {
  runId: string;
  /** The measured brands. */
  brands: readonly string[];
  measurement: Measurement;
  answers: readonly ShownAnswer[];
};
