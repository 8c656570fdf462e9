import type { Intent } from '../../../src/visibility/run/intents.ts';
import type { OtherMention, OwnMention, AnswerReading } from '../../../src/visibility/metrics/metrics.ts';

export const RUN_ID = '0123456789abcdef0123456789abcdef';

export const ABSENT: OwnMention = {
  mentioned: false,
  recommended: false,
  negative: false,
  block: undefined,
  places: 0,
  rejected: 0,
};
export const NAMED: OwnMention = { ...ABSENT, mentioned: true, block: 0, places: 1 };
export const RECOMMENDED: OwnMention = { ...NAMED, recommended: true };

/** A mention of somebody else: in the first block, not recommended, unless `more` says otherwise. */
export const other = (name: string, more: Partial<OtherMention> = {}): OtherMention => ({
  name,
  recommended: false,
  block: 0,
  quote: `${name} is mentioned.`,
  ...more,
});

/** Made-up readings of answers, numbered as they stand. */
export const readings = (
  rows: readonly { intent?: Intent; own: OwnMention; others?: readonly OtherMention[]; further?: readonly number[] }[],
): readonly AnswerReading[] =>
  rows.map(({ intent = 'discovery', own, others = [], further = [] }, index) => ({
    index,
    intent,
    own,
    others,
    further,
  }));
