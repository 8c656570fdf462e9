import type * as z from 'zod';
import type { Child } from 'hono/jsx';
import { scoreNames } from '../../../audit/core/check.ts';
import type { auditResult, checksResult } from '../../../capabilities/results.ts';
import { AuditBasis, ScoreNumbers } from '../../audit/basis.tsx';
import { AuditChecks } from '../../audit/checks.tsx';
import { type ReportedScores, summariseReport } from '../../audit/summary-data.ts';
import { AuditSummary } from '../../audit/summary.tsx';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import { Formulas } from '../audit/scores.tsx';
import { listShownChecks } from '../audit/shown-checks.ts';
import { OtherRubric } from '../parts/rubric.tsx';

type Audit = z.infer<ReturnType<typeof auditResult>>;
type ChecksOnly = z.infer<typeof checksResult>;

type AuditProps = {
  result: Audit;
  language?: PageLanguage;
  fixHrefOf?: (fixId: string) => string | undefined;
  /** The part between what to do first and all checks: fixes and files. */
  children?: Child;
};

/** An audit with scores: what they mean, what to do first, every check, and how the numbers came to be. */
export const AuditView = ({ result, language = DEFAULT_LANGUAGE, fixHrefOf, children }: AuditProps) => {
  const scores = listScores(result);
  return (
    <>
      <AuditSummary {...summariseReport({ scores, summary: result.summary }, language)} language={language} hasChecks />
      {children}
      <AuditChecks
        language={language}
        checks={listShownChecks({ scores, fixHrefOf })}
        names={scoreNames.filter((name) => scores[name] !== undefined)}
      />
      <ScoreNumbers language={language} scores={scores}>
        <Formulas scores={scores} language={language} />
      </ScoreNumbers>
      <Basis result={result} language={language} />
    </>
  );
};

type ChecksProps = {
  result: ChecksOnly;
  language?: PageLanguage;
  /** What goes before the checks, and the facts behind them. */
  children?: Child;
  facts?: Child;
};

/** The checks of one cheap capability with what was found: no scores are made of so few. */
export const ChecksView = ({ result, language = DEFAULT_LANGUAGE, children, facts }: ChecksProps) => (
  <>
    <AuditSummary {...summariseReport(result, language)} language={language} hasChecks />
    {children}
    <AuditChecks language={language} checks={listShownChecks({ checks: result.checks })} names={[]} />
    {facts}
    <Basis result={result} language={language} />
  </>
);

export function listScores({ scores }: Audit): ReportedScores {
  const named: Readonly<Record<string, ReportedScores['aeo']>> = scores;
  return Object.fromEntries(scoreNames.flatMap((name) => (named[name] === undefined ? [] : [[name, named[name]]])));
}

type BasisProps = { result: Pick<Audit, 'profile' | 'rubric' | 'requests'>; language: PageLanguage };

/** What the verdicts are based on: the kind of site, the rubric, the requests. */
export const Basis = ({ result: { profile, rubric, requests }, language }: BasisProps) => (
  <AuditBasis language={language} profile={profile} rubric={rubric} requests={requests}>
    <OtherRubric version={rubric.version} language={language} />
  </AuditBasis>
);
