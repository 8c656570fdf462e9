import type { Preview, PreviewCheck, SitePreview } from '../../audit/core/preview.ts';
import { scoreNames } from '../../audit/core/check.ts';
import { parseReadInstead } from '../../audit/core/snapshot.ts';
import { CHECKS_PATH } from '../../report/reportable.ts';
import { OutLink, Time } from '../design/parts.tsx';
import { markEnglish, type PageLanguage } from '../language/language.ts';
import { AuditBasis, ScoreNumbers } from './basis.tsx';
import type { ShownCheck } from './check.tsx';
import { AuditChecks } from './checks.tsx';
import { pageWords } from './page-words.ts';
import { ReadInstead } from './read-instead.tsx';
import { RESULT_TITLE_ID } from './page-state.ts';
import { AuditSummary, summarisePreview } from './summary.tsx';
import { summaryWords } from './summary-words.ts';

type PreviewProps = SitePreview & { language: PageLanguage };

/** The first part of a preview: what the scores mean and what to do first. */
export const PreviewSummary = ({ preview, reused, made_at, language }: PreviewProps) => {
  const words = pageWords[language];
  const open = new Set(preview.checks.flatMap((check) => (check.open ? [check.id] : [])));
  return (
    <>
      <h2 id={RESULT_TITLE_ID} tabindex={-1}>
        {words.resultOf} <span>{getHost(preview.url)}</span>
      </h2>
      <p class="small">
        <OutLink href={preview.url} />, <Time ms={Date.parse(made_at)} />. {reused ? words.reused : ''}{' '}
        <ReadInstead warnings={preview.warnings} language={language} />
      </p>
      <AuditSummary {...summarisePreview(preview)} language={language} level={3} hasChecks />
      <OtherWarnings warnings={preview.warnings} language={language} />
      <p class="small">{words.extent(open.size, preview.checks.length - open.size)}</p>
    </>
  );
};

const OtherWarnings = ({ warnings, language }: { warnings: readonly string[]; language: PageLanguage }) => {
  const shown = warnings.filter((text) => parseReadInstead(text) === undefined);
  return shown.length === 0 ? null : (
    <ul class="note plain">
      {shown.map((text) => (
        <li lang={markEnglish(language)}>{text}</li>
      ))}
    </ul>
  );
};

const getHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** The rest of a preview: every check, how the numbers came to be, and what they are based on. */
export const PreviewDetails = ({ preview, language }: Pick<PreviewProps, 'preview' | 'language'>) => (
  <>
    <AuditChecks
      language={language}
      checks={preview.checks.flatMap((check) => (check.open ? [toShownCheck(check)] : []))}
      locked={preview.checks.filter(({ open }) => !open)}
      names={scoreNames}
    />
    <ScoreNumbers language={language} scores={preview.scores} isPreview />
    <AuditBasis language={language} {...preview} />
  </>
);

const toShownCheck = (check: PreviewCheck & { open: true }): ShownCheck => ({
  ...check,
  href: `${CHECKS_PATH}${check.id}`,
});

/** The scores in one sentence, for a screen reader. */
export function describeForSpeech({ scores }: Preview, language: PageLanguage): string {
  const words = pageWords[language];
  const said = scoreNames
    .filter((name) => scores[name].coverage > 0)
    .map((name) => words.scoreOf(summaryWords[language].scoreNames[name], scores[name].score));
  return words.done(said.join(', '));
}
