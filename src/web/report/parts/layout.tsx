import type { Child } from 'hono/jsx';
import { formatPercent } from '../../../lib/numbers.ts';
import { OutLink, Bar, type Series } from '../../design/parts.tsx';
import { DEFAULT_LANGUAGE, markEnglish, type PageLanguage } from '../../language/language.ts';
import { type EvidenceWords, evidenceWords } from './evidence-words.ts';
import { COULD_NOT_CHECK, type ReportEvidence, formatInterval, type ReportedRate } from './words.ts';

/** Depth of a heading: a view starts at 2, what is shown per side of a comparison at 3. */
export type Level = 2 | 3;

/** Parts without a language of their own are in that of the reports which are files. */
type InLanguage = { language?: PageLanguage | undefined };

type SectionProps = { title: Child; id?: string | undefined; level?: Level | undefined; children?: Child };

/** A part of a report under its heading. */
export const ReportSection = ({ title, id, level = 2, children }: SectionProps) => (
  <section class="report-part">
    {level === 2 ? <h2 id={id}>{title}</h2> : <h3 id={id}>{title}</h3>}
    {children}
  </section>
);

/** A table that is wider than a small screen: it scrolls by itself, with the keyboard too. */
export const Scroll = ({ label, children }: { label: string; children?: Child }) => (
  <div class="scroll" tabindex={0} role="region" aria-label={label}>
    {children}
  </div>
);

/** Someone else's words. */
export const Quote = ({ text, children }: { text: string; children?: Child }) => (
  <figure class="quote">
    <blockquote dir="auto">
      <p>{text}</p>
    </blockquote>
    {children === undefined ? null : <figcaption>{children}</figcaption>}
  </figure>
);

/** Sentences of ours, one below the other; nothing where there are none. */
export const Notes = ({ notes, language = DEFAULT_LANGUAGE }: InLanguage & { notes: readonly string[] }) =>
  notes.length === 0 ? null : (
    <ul class="report-notes" lang={markEnglish(language)}>
      {notes.map((text) => (
        <li>{text}</li>
      ))}
    </ul>
  );

/** What was seen where: everything in it may come from the audited site. */
export const EvidenceList = ({
  evidence,
  language = DEFAULT_LANGUAGE,
}: InLanguage & { evidence: readonly ReportEvidence[] }) =>
  evidence.length === 0 ? (
    <p class="small">{evidenceWords[language].none}</p>
  ) : (
    <ul class="seen-list">
      {evidence.map((one) => (
        <li>
          <EvidenceLine {...one} words={evidenceWords[language]} />
        </li>
      ))}
    </ul>
  );

type EvidenceLineProps = ReportEvidence & { words: EvidenceWords };

const EvidenceLine = ({ url, status, header, selector, line, excerpt, words }: EvidenceLineProps) => (
  <>
    <OutLink href={url} />
    {status === undefined ? null : <span> {words.answered(status)}</span>}
    {header === undefined ? null : (
      <>
        , {words.header} <code>{header}</code>
      </>
    )}
    {selector === undefined ? null : (
      <>
        , {words.at} <code>{selector}</code>
      </>
    )}
    {line === undefined ? null : <>, {words.line(line)}</>}
    {excerpt === undefined || excerpt === '' ? null : (
      <>
        : <code class="excerpt">{excerpt}</code>
      </>
    )}
  </>
);

/** The text in place of a share without anything to count: a missing number is not 0. */
export const NotSeen = ({ why, language = DEFAULT_LANGUAGE }: InLanguage & { why: string }) => (
  <span class="unseen">
    <strong>{COULD_NOT_CHECK[language]}</strong>: {why}
  </span>
);

type RateProps = InLanguage & { rate: Pick<ReportedRate, 'value' | 'low' | 'high'>; series?: Series | undefined };

/** A share with its interval drawn, and both as text: for a cell of a table. */
export const RateBar = ({ rate, series, language }: RateProps) => (
  <div class="rate">
    <span class="rate-text">
      <strong>{formatPercent(rate.value)}</strong> <span class="small">{formatInterval(rate, language)}</span>
    </span>
    <Bar value={rate.value} low={rate.low} high={rate.high} series={series} />
  </div>
);

/** A main figure: its name, the number in large type, its drawing, and what it is made of. */
export const Figure = ({ title, value, children }: { title: string; value: Child; children?: Child }) => (
  <li class="card figure">
    <h3>{title}</h3>
    <p class="big">{value}</p>
    {children}
  </li>
);

/** The scale below a bar from 0 to 1. */
export const Axis = () => (
  <p class="axis small" aria-hidden="true">
    <span>0 %</span>
    <span>50 %</span>
    <span>100 %</span>
  </p>
);

/** The mark of a series: shapes differ, so that no one depends on colours. */
export const Swatch = ({ series }: { series: Series }) => (
  <svg class={series === 2 ? 'swatch second' : 'swatch'} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
    {series === 2 ? <circle cx="6" cy="6" r="6" /> : <rect width="12" height="12" />}
  </svg>
);

/** What belongs to which of two: its mark beside the name, which may be anyone's text. */
export const SeriesSide = ({ name, series }: { name: string; series: Series }) => (
  <span class="side">
    <Swatch series={series} />
    <bdi>{name}</bdi>
  </span>
);
