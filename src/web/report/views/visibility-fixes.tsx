import { Code } from '../../design/parts.tsx';
import { Quote, ReportSection } from '../parts/layout.tsx';
import { formatQuantity, type VisibilityFixes } from '../parts/words.ts';
import { Facts } from './fixes.tsx';

type Fix = VisibilityFixes['fixes'][number];

/** Texts against each weak spot of a brand, where each one goes, and what only the brand itself can fill in. */
export const VisibilityFixesView = ({ result }: { result: VisibilityFixes }) => (
  <div class="visibility-fixes">
    <p class="lead">
      Texts that let AI assistants find and quote{' '}
      <strong>
        <bdi>{result.brand}</bdi>
      </strong>{' '}
      when people ask for <bdi>{result.niche}</bdi>: {formatQuantity(result.fixes.length, 'topic')}, three texts each.
    </p>
    <p class="note">
      Nothing is made up. What only you know is marked as <code>[FACT NEEDED: …]</code>: fill in every slot from your
      own records before you publish, or leave the sentence out.
    </p>
    {result.fixes.map((fix, index) => (
      <Topic fix={fix} index={index} />
    ))}
  </div>
);

const Topic = ({ fix, index }: { fix: Fix; index: number }) => (
  <ReportSection
    title={
      <>
        {index + 1}. <bdi>{fix.topic}</bdi>
      </>
    }
  >
    {fix.evidence === undefined ? null : <Quote text={fix.evidence}>What was given as evidence</Quote>}
    <Facts facts={fix.facts_needed} />
    <Piece title="A passage to be quoted" place={fix.place.passage} text={fix.passage} label="Copy the passage" />
    <Piece
      title="Questions and answers as structured data"
      place={fix.place.faq_json_ld}
      text={fix.faq_html}
      label="Copy the element"
    >
      <details class="inner">
        <summary>The JSON-LD alone</summary>
        <Code text={fix.faq_json_ld} label="Copy the JSON-LD" />
      </details>
    </Piece>
    <Piece
      title="A section of llms.txt"
      place={fix.place.llms_txt_section}
      text={fix.llms_txt_section}
      label="Copy the section"
    />
    <h3>See that it works</h3>
    <p class="prose">{fix.verify}</p>
  </ReportSection>
);

type PieceProps = { title: string; place: string; text: string; label: string; children?: unknown };

const Piece = ({ title, place, text, label, children }: PieceProps) => (
  <div class="piece wrapped">
    <h3>{title}</h3>
    <p class="prose">{place}</p>
    <Code text={text} label={label} />
    {children}
  </div>
);
