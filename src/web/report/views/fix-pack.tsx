import type * as z from 'zod';
import { scoreNames } from '../../../audit/core/check.ts';
import type { fixPackResult } from '../../../capabilities/results.ts';
import { Status } from '../../design/parts.tsx';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import { STATUS_ORDER } from '../../audit/checks.tsx';
import { summariseReport } from '../../audit/summary-data.ts';
import { ScoreLines, ScoreMeanings } from '../../audit/summary.tsx';
import { getFixAnchor } from '../audit/words.ts';
import { ReportSection } from '../parts/layout.tsx';
import type { Check } from '../parts/words.ts';
import { Basis, listScores } from './audit.tsx';
import { FixesView, ServerFilesView } from './fixes.tsx';
import { fixesWords } from './fixes-words.ts';

type FixPack = z.infer<typeof fixPackResult>;
type Props = { result: FixPack; language?: PageLanguage | undefined };

/** A fix pack: the scores, each fix once with before and after, and which checks ask for them. The audit is a report of its own. */
export const FixPackView = ({ result, language = DEFAULT_LANGUAGE }: Props) => (
  <>
    <Scores result={result} language={language} />
    <FixesView fixes={result.fixes} promised={result.promised} language={language} />
    <ServerFilesView files={result.server_files} language={language} />
    <FixedChecks result={result} language={language} />
    <Basis result={result} language={language} />
  </>
);

/** What to do first is in the fixes themselves, so it is not said twice. */
const Scores = ({ result, language }: { result: FixPack; language: PageLanguage }) => {
  const { scores } = summariseReport({ scores: listScores(result), summary: result.summary });
  return (
    <div class="audit-summary">
      <ScoreLines scores={scores} language={language} />
      <ScoreMeanings scores={scores} language={language} />
    </div>
  );
};

/** Every check once, whatever number of scores it counts in. */
const listChecks = ({ scores }: FixPack): readonly Check[] => [
  ...new Map(
    scoreNames.flatMap((name) => (scores[name]?.checks ?? []).map((check) => [check.id, check] as const)),
  ).values(),
];

const isToFix = ({ status }: Check): boolean => status === 'fail' || status === 'partial';

/** The checks that ask for something in one line each, with the way to their fix; of all others how many there are. */
const FixedChecks = ({ result, language }: { result: FixPack; language: PageLanguage }) => {
  const words = fixesWords[language];
  const checks = listChecks(result);
  const fixed = new Set(result.fixes.map(({ id }) => id));
  const counts = STATUS_ORDER.map((status) => ({
    status,
    count: checks.filter((check) => check.status === status).length,
  }));
  return (
    <ReportSection title={words.checks} id="checks">
      <p>
        {counts
          .filter(({ count }) => count > 0)
          .map(({ status, count }) => words.counts[status](count))
          .join(', ')}
        . {words.checksLead}
      </p>
      <ul class="fixed-checks">
        {checks
          .filter((check) => isToFix(check))
          .toSorted((one, other) => other.weight * (1 - other.value) - one.weight * (1 - one.value))
          .map((check) => (
            <li>
              <Status status={check.status} language={language} />{' '}
              <FixedTitle check={check} hasFix={fixed.has(check.fix_id)} />
            </li>
          ))}
      </ul>
    </ReportSection>
  );
};

const FixedTitle = ({ check, hasFix }: { check: Check; hasFix: boolean }) => {
  const anchor = hasFix ? getFixAnchor(check.fix_id) : undefined;
  return anchor === undefined ? <span>{check.title}</span> : <a href={`#${anchor}`}>{check.title}</a>;
};
