import { Code } from '../../design/parts.tsx';
import { DEFAULT_LANGUAGE, markEnglish, type PageLanguage } from '../../language/language.ts';
import { Quote, ReportSection } from '../parts/layout.tsx';
import type { VisibilityFixes } from '../parts/words.ts';
import { Facts } from './fixes.tsx';
import { fixesWords } from './fixes-words.ts';
import { TemplateNote } from './template-note.tsx';
import { topicsWords } from './topics-words.ts';

type Fix = VisibilityFixes['fixes'][number];
type Props = { result: VisibilityFixes; language?: PageLanguage | undefined };

/** Texts against each weak spot of a brand, where each one goes, and what only the brand itself can fill in. */
export const VisibilityFixesView = ({ result, language = DEFAULT_LANGUAGE }: Props) => {
  const words = topicsWords[language];
  const [lets, asks] = words.lead;
  const [marked, fill] = words.slots;
  return (
    <div class="visibility-fixes">
      <p class="lead">
        {lets}{' '}
        <strong>
          <bdi>{result.brand}</bdi>
        </strong>{' '}
        {asks} <bdi>{result.niche}</bdi>
        {words.count(result.fixes.length)}
      </p>
      <p class="note">
        {marked} <code>[FACT NEEDED: …]</code>
        {fill}
      </p>
      <TemplateNote filled={result.filled} language={language} />
      {result.fixes.map((fix, index) => (
        <Topic fix={fix} index={index} language={language} />
      ))}
    </div>
  );
};

const Topic = ({ fix, index, language }: { fix: Fix; index: number; language: PageLanguage }) => (
  <ReportSection
    title={
      <>
        {index + 1}. <bdi>{fix.topic}</bdi>
      </>
    }
  >
    {fix.evidence === undefined ? null : <Quote text={fix.evidence}>{topicsWords[language].evidence}</Quote>}
    <Facts facts={fix.facts_needed} language={language} />
    <Piece {...topicsWords[language].passage} language={language} place={fix.place.passage} text={fix.passage} />
    <Piece {...topicsWords[language].questions} language={language} place={fix.place.faq_json_ld} text={fix.faq_html}>
      <details class="inner">
        <summary>{topicsWords[language].jsonLd.title}</summary>
        <Code text={fix.faq_json_ld} label={topicsWords[language].jsonLd.label} />
      </details>
    </Piece>
    <Piece
      {...topicsWords[language].section}
      language={language}
      place={fix.place.llms_txt_section}
      text={fix.llms_txt_section}
    />
    <h3>{fixesWords[language].verify}</h3>
    <p class="prose" lang={markEnglish(language)}>
      {fix.verify}
    </p>
  </ReportSection>
);

type PieceProps = {
  language: PageLanguage;
  title: string;
  place: string;
  text: string;
  label: string;
  children?: unknown;
};

const Piece = ({ language, title, place, text, label, children }: PieceProps) => (
  <div class="piece wrapped">
    <h3>{title}</h3>
    <p class="prose" lang={markEnglish(language)}>
      {place}
    </p>
    <Code text={text} label={label} />
    {children}
  </div>
);
