import type { Cues } from './cues.ts';
import type { RefusalKind } from './refusal-kinds.ts';

/** What else is seen of a text: `mayNameBeside` is of the parts that could name something. */
export type CuesSeen = {
  isTouchy: boolean;
  mayName: boolean;
  mayNameBeside: boolean;
  hasUnknown: boolean;
  /** A phrase of talk, and one that is true of any market, is in it. */
  isTalking: boolean;
  isFilling: boolean;
  /** A word of trade or choice. */
  hasTrade: boolean;
  /** Begins with a pronoun that answers "which". */
  isWhich: boolean;
};

/** Why a text without names is no answer, by its words alone; undefined where they do not show it. */
export function judgeCues(cues: Cues, seen: CuesSeen): RefusalKind | undefined {
  if (cues.declinedShare >= 0.6 && !seen.mayNameBeside && isRefusing(cues)) return 'refusal';
  if (seen.mayName) return undefined;
  if (!seen.hasUnknown && isUnwilling(cues)) return 'refusal';
  if (isRefusing(cues) || (seen.isTouchy && isPreaching(cues))) return 'refusal';
  if (!cues.isGoingOn && isMechanical(cues)) return 'stock_phrase';
  if (seen.hasUnknown || cues.isGoingOn || !isEmptyTalk(cues, seen)) return undefined;
  return cues.isDenying || cues.declines > 0 ? 'refusal' : 'stock_phrase';
}

/** Words that say nothing of one market: the longer a text, the surer; and the surer where a phrase of talk is in it. */
function isEmptyTalk(
  { words, specificShare, otherShare }: Cues,
  { isTalking, isFilling, hasTrade, isWhich }: Pick<CuesSeen, 'isTalking' | 'isFilling' | 'hasTrade' | 'isWhich'>,
): boolean {
  if (isFilling && words >= MIN_EMPTY_WORDS && otherShare <= MAX_FILLED_OTHER) return true;
  if (isTalking && words >= MIN_TALK_WORDS && specificShare <= MAX_TALK_SPECIFIC) return true;
  if (words >= MIN_BARE_WORDS && otherShare === 0 && !hasTrade) return true;
  const isLong = words >= (hasTrade ? MIN_LONG_WORDS : MIN_LONG_UNTRADED);
  if (!isWhich && isLong && otherShare <= MAX_LONG_OTHER && specificShare <= MAX_LONG_SPECIFIC) return true;
  return words >= MIN_EMPTY_WORDS && otherShare <= MAX_EMPTY_OTHER && specificShare <= MAX_TALK_SPECIFIC;
}

const MIN_EMPTY_WORDS = 15;
const MAX_EMPTY_OTHER = 0.06;
const MAX_FILLED_OTHER = 0.2;

/** The longer a text, the more it would say if it said anything. */
const MIN_LONG_WORDS = 25;
const MIN_LONG_UNTRADED = 20;
const MAX_LONG_OTHER = 0.15;
const MAX_LONG_SPECIFIC = 0.2;

/** Words from which on a text has a word of its own if it is an answer. */
const MIN_BARE_WORDS = 7;
const MIN_TALK_WORDS = 8;
const MAX_TALK_SPECIFIC = 0.13;

/** A text that mostly declines, or declines and then warns, and says little that is of one market. */
const isRefusing = ({ declines, declinedShare, isGoingOn, cautionShare, specificShare, words }: Cues): boolean =>
  declines > 0 &&
  !isGoingOn &&
  ((declinedShare >= 0.55 && specificShare <= 0.5 && words <= MAX_SHORT_WORDS) ||
    (declinedShare >= 0.38 && specificShare <= 0.3) ||
    (declinedShare + cautionShare >= 0.6 && specificShare <= 0.25));

/** A text that declines, and has next to no word that talk does not have: a capital in it is none of an option. */
export const isPlainlyDeclining = ({ declines, isGoingOn, otherShare }: Cues): boolean =>
  declines > 0 && !isGoingOn && otherShare <= MAX_DECLINED_OTHER;

const MAX_DECLINED_OTHER = 0.12;

/** A text that mostly denies something of the speaker, in words that say nothing of a market. */
const isUnwilling = ({ isDenying, isGoingOn, otherShare, words }: Cues): boolean =>
  isDenying && !isGoingOn && words >= MIN_UNWILLING_WORDS && otherShare <= 0.2;

const MIN_UNWILLING_WORDS = 6;

const isPreaching = ({ cautions, cautionShare, otherShare }: Cues): boolean =>
  ((cautions >= 2 && cautionShare >= 0.4) || cautions >= 4) && otherShare <= 0.35;

/** The words of errors and disclaimers, one close to another. */
const isMechanical = ({ machine, machineShare, otherShare, words }: Cues): boolean =>
  machineShare >= 0.75 &&
  otherShare <= 0.25 &&
  ((machine >= 5 && words <= MAX_MACHINE_WORDS) ||
    (machine >= 4 && words <= MAX_SHORT_WORDS) ||
    (machine >= 3 && words <= MAX_ALERT_WORDS));

/** A short error, nearly every word of which errors have: a name in it is that of a system. */
export const isPlainFailure = ({ machine, machineShare, otherShare, words }: Cues): boolean =>
  machine >= 5 && machineShare >= 0.6 && otherShare <= 0.2 && words <= MAX_SHORT_WORDS;

/** Words of machines in every third word and every sentence. */
export const isDenseMachine = ({ machine, machineShare, otherShare, words }: Cues): boolean =>
  machine >= 4 && machine >= words / 3 && machineShare >= 0.9 && otherShare <= 0.3 && words <= MAX_SHORT_WORDS;

const MAX_MACHINE_WORDS = 80;
const MAX_SHORT_WORDS = 24;
const MAX_ALERT_WORDS = 14;

/** So many of them that a word like a name is none. */
export const isMachineText = ({ machine, machineShare, specificShare }: Cues): boolean =>
  machine >= 8 && machineShare >= 0.9 && specificShare <= 0.35;

/** Instructions to a machine, whatever names are in them. */
export const isInstruction = ({ machine, machineShare }: Cues): boolean => machine >= 5 && machineShare >= 0.75;
