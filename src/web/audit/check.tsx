import type { OutcomeStatus, ScoreName } from '../../audit/core/check.ts';
import type { MaybeDoubted } from '../../report/reportable.ts';
import { splitSourceLinks } from '../../report/source-links.ts';
import { AccuracyNote } from '../design/accuracy-note.tsx';
import { Code, SourceLink, Status } from '../design/parts.tsx';
import { formatDecimal } from '../language/amounts.ts';
import { markEnglish, type PageLanguage } from '../language/language.ts';
import { EvidenceList } from '../report/parts/layout.tsx';
import type { ReportEvidence } from '../report/parts/words.ts';
import { getCheckAnchor } from './check-anchors.ts';
import { type ChecksWords, checksWords } from './checks-words.ts';
import { summaryWords } from './summary-words.ts';

/** A check with its verdict, as it is shown on pages: of a preview or of a stored report. */
export type ShownCheck = MaybeDoubted & {
  id: string;
  title: string;
  status: OutcomeStatus;
  value: number;
  weight: number;
  evidence_grade: string;
  note: string;
  evidence: readonly ReportEvidence[];
  reproduce: string;
  why: string;
  source: string;
  /** The scores it counts in. */
  scores: readonly ScoreName[];
  /** How to make it pass, in our words; undefined for a check that this version does not have. */
  fix?: string | undefined;
  /** Where its complete fix is in the same page. */
  fixHref?: string | undefined;
  /** The page about it; undefined for an id that is none of ours, whose source then stays text. */
  href?: string | undefined;
};

type CheckItemProps = { check: ShownCheck; language: PageLanguage };

/**
 * One check: what it came to in a line, everything else behind it. The anchor is inside, so that following it opens it.
 * What the filter reads is in data attributes; all of them are words of ours.
 */
export const CheckItem = ({ check, language }: CheckItemProps) => {
  const words = checksWords[language];
  return (
    <details class="check" data-check data-status={check.status} data-scores={check.scores.join(' ')}>
      <summary>
        <Status status={check.status} language={language} />
        <span class="title">{check.title}</span>
      </summary>
      <div class="inside" id={getCheckAnchor(check.id)}>
        <p lang={markEnglish(language)}>{check.note}</p>
        <AccuracyNote check={check} language={language} />
        <dl>
          <Remedy check={check} words={words} language={language} />
          {check.evidence.length === 0 ? null : (
            <>
              <dt>{words.seen}</dt>
              <dd>
                <EvidenceList evidence={check.evidence} language={language} />
              </dd>
            </>
          )}
          <dt>{words.why}</dt>
          <dd lang={markEnglish(language)}>{check.why}</dd>
          <dt>{words.seeYourself}</dt>
          <dd>
            <Code text={check.reproduce} label={words.copyCommand} />
          </dd>
          <dt>{words.source}</dt>
          <dd lang={markEnglish(language)}>
            <Source check={check} />
          </dd>
        </dl>
        <Figures check={check} language={language} />
      </div>
    </details>
  );
};

type Worded = CheckItemProps & { words: ChecksWords };

const Remedy = ({ check: { status, fix, fixHref }, words, language }: Worded) => {
  if (status !== 'fail' && status !== 'partial') return null;
  if (fix === undefined && fixHref === undefined) return null;
  return (
    <>
      <dt>{words.whatToDo}</dt>
      <dd class="remedy">
        {fix === undefined ? null : <Code text={fix} label={words.copyWhatToDo} textLanguage={markEnglish(language)} />}
        {fixHref === undefined ? null : <a href={fixHref}>{words.completeFix}</a>}
      </dd>
    </>
  );
};

/** Addresses in a source that our table names become links; in any other they stay text. */
const Source = ({ check: { href, source } }: { check: ShownCheck }) =>
  href === undefined ? (
    <>{source}</>
  ) : (
    <>{splitSourceLinks(source).map((part) => ('href' in part ? <SourceLink href={part.href} /> : <>{part.text}</>))}</>
  );

/** How sure the rule is and what it counts in; behind that, the numbers that the arithmetic needs. */
const Figures = ({ check, language }: CheckItemProps) => {
  const words = checksWords[language];
  const { id, href, scores, weight, value, evidence_grade: grade } = check;
  const names = scores.map((name) => summaryWords[language].scoreNames[name]).join(', ');
  return (
    <>
      <p class="small">
        {Object.hasOwn(words.strengths, grade) ? `${words.strength} ${words.strengths[grade]}. ` : ''}
        {weight === 0 ? words.notScored : names === '' ? '' : `${words.countsIn} ${names}.`}
      </p>
      <details class="small figures">
        <summary>{words.figures}</summary>
        {href === undefined ? (
          <code>{id}</code>
        ) : (
          <a href={href}>
            <code>{id}</code>
          </a>
        )}
        , {words.value(formatDecimal(value, language))},{' '}
        <span class="weighs">{words.weight(formatDecimal(weight, language))}</span>, {words.evidenceGrade(grade)}
      </details>
    </>
  );
};
