import type * as z from 'zod';
import type { Child } from 'hono/jsx';
import { scoreNames } from '../../../audit/core/check.ts';
import type { auditResult, checksResult } from '../../../capabilities/results.ts';
import { Checks } from '../audit/checks.tsx';
import { Requests, FirstFixes } from '../audit/summary.tsx';
import { type Scores, ScoresPart } from '../audit/scores.tsx';
import { ReportSection } from '../parts/layout.tsx';
import { OtherRubric } from '../parts/rubric.tsx';

type Audit = z.infer<ReturnType<typeof auditResult>>;
type ChecksOnly = z.infer<typeof checksResult>;

type AuditProps = {
  result: Audit;
  fixHrefOf?: (fixId: string) => string | undefined;
  /** The part between what to do first and all checks: fixes and files. */
  children?: Child;
};

/** An audit with scores: what they are, how they came to be, what to do first, and every check. */
export const AuditView = ({ result, fixHrefOf, children }: AuditProps) => {
  const scores = listScores(result);
  return (
    <>
      <ScoresPart scores={scores} />
      <FirstFixes summary={result.summary} />
      {children}
      <Checks scores={scores} {...(fixHrefOf === undefined ? {} : { fixHrefOf })} />
      <Basis result={result} />
    </>
  );
};

type ChecksProps = {
  result: ChecksOnly;
  /** What goes before the checks, and the facts behind them. */
  children?: Child;
  facts?: Child;
};

/** The checks of one cheap capability with what was found: no scores are made of so few. */
export const ChecksView = ({ result, children, facts }: ChecksProps) => (
  <>
    <FirstFixes summary={result.summary} />
    {children}
    <Checks checks={result.checks} />
    {facts}
    <Basis result={result} />
  </>
);

export function listScores({ scores }: Audit): Scores {
  const named: Readonly<Record<string, Scores['aeo']>> = scores;
  return Object.fromEntries(scoreNames.flatMap((name) => (named[name] === undefined ? [] : [[name, named[name]]])));
}

/** What the verdicts are based on: the kind of site, the rubric, the requests. */
export const Basis = ({
  result: { profile, rubric, requests },
}: {
  result: Pick<Audit, 'profile' | 'rubric' | 'requests'>;
}) => (
  <ReportSection title="What this is based on" id="basis">
    <p>
      Site type <strong>{profile.name}</strong>
      {profile.given
        ? ', as the buyer asked'
        : profile.rests_on.length === 0
          ? ', since no sign of another kind was found'
          : ', because of:'}
    </p>
    {profile.rests_on.length === 0 ? null : (
      <ul>
        {profile.rests_on.map((clue) => (
          <li>{clue}</li>
        ))}
      </ul>
    )}
    <p>
      Rubric {rubric.version}, SHA-256 <code>{rubric.sha256}</code>: the same rubric and the same answers of the site
      give the same scores.
    </p>
    <OtherRubric version={rubric.version} />
    <Requests requests={requests} />
  </ReportSection>
);
