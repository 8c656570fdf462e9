import { compareFirstParty, type SourceComparison } from '../../visibility/imports/compare.ts';
import type { FirstPartyImport } from '../../visibility/imports/first-party.ts';
import type { OwnMeasurement } from '../../visibility/imports/own-measurement.ts';
import { sourceWords } from './source-words.ts';

/** Form of a first-party report. */
export const FIRST_PARTY_VERSION = 1;

/** What was imported, a measurement of our own, and how they compare; the same in files, pages and stores. */
export type FirstPartyReport = {
  version: typeof FIRST_PARTY_VERSION;
  imports: readonly FirstPartyImport[];
  measurement: Omit<OwnMeasurement, 'cited' | 'hidden' | 'prompts'> | null;
  comparison: readonly SourceComparison[] | null;
  /** What each source can and cannot see, in English. */
  can_see: Readonly<Record<string, { sees: string; does_not_see: string }>>;
};

/** Puts a report together. Every figure in it follows from the two arguments. */
export function buildFirstPartyReport(
  imports: readonly FirstPartyImport[],
  measurement: OwnMeasurement | undefined,
): FirstPartyReport {
  const sources = [...imports.map(({ source }) => source), ...(measurement === undefined ? [] : (['panel'] as const))];
  return {
    version: FIRST_PARTY_VERSION,
    imports,
    measurement: measurement === undefined ? null : selectMeasured(measurement),
    comparison: measurement === undefined ? null : compareFirstParty(imports, measurement),
    can_see: Object.fromEntries(
      sources.map((source) => {
        const { sees, blind } = sourceWords.en[source];
        return [source, { sees, does_not_see: blind }];
      }),
    ),
  };
}

const selectMeasured = ({
  brand,
  engines,
  answers,
  mention_rate,
}: OwnMeasurement): FirstPartyReport['measurement'] => ({
  brand,
  engines,
  answers,
  mention_rate,
});
