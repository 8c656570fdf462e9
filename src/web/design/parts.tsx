import type { Child } from 'hono/jsx';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import { type CheckStatus, partsWords } from './parts-words.ts';

export type { CheckStatus } from './parts-words.ts';

/** Addresses of data are links only when they are http or https (rule X6); all else is text. */
export const parseWebAddress = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
};

/** An address that data names. Nothing of ours is handed on to it, and it says nothing about us to search engines. */
export const OutLink = ({ href, children }: { href: string; children?: Child }) => {
  const address = parseWebAddress(href);
  if (address === undefined) return <span class="url">{children ?? href}</span>;
  return (
    <a class="url" href={address} rel="noopener noreferrer nofollow ugc">
      {children ?? href}
    </a>
  );
};

/** A source that our own tables name. */
export const SourceLink = ({ href, children }: { href: string; children?: Child }) => {
  const address = parseWebAddress(href);
  if (address === undefined) return <>{children ?? href}</>;
  return (
    <a href={address} rel="noopener noreferrer">
      {children ?? href}
    </a>
  );
};

/** A text that stays in English within a sentence or a list of the page. */
export const EnglishText = ({ text, language }: { text: string; language: PageLanguage }) =>
  language === 'en' ? <>{text}</> : <span lang="en">{text}</span>;

/** `language` of a program; `textLanguage` of sentences that are not in the language of the page. */
type CodeProps = { text: string; label?: string; language?: string; textLanguage?: PageLanguage | undefined };

/** Text to take along. The button appears where scripts run: `copy.ts` finds it by `data-copy`. */
export const Code = ({ text, label = 'Copy', language, textLanguage }: CodeProps) => (
  <div class="code">
    <button type="button" class="quiet small" data-copy hidden>
      {label}
    </button>
    <pre tabindex={0} lang={textLanguage}>
      <code class={language === undefined ? undefined : `language-${language}`}>{text}</code>
    </pre>
  </div>
);

const SCALE = 1000;

/** Which of the series of the tokens a bar belongs to; the first unless said otherwise. */
export type Series = 1 | 2;

type BarProps = { value: number; low?: number | undefined; high?: number | undefined; series?: Series | undefined };

/**
 * A share from 0 to 1 as a bar, with its interval as a line below where there is one. The numbers are beside it as
 * text.
 */
export const Bar = ({ value, low, high, series }: BarProps) => {
  const interval = low === undefined || high === undefined ? undefined : renderWhiskers(low, high);
  return (
    <svg
      class={`bar${series === 2 ? ' second' : ''}${interval === undefined ? '' : ' ranged'}`}
      viewBox={`0 0 ${SCALE} ${interval === undefined ? 16 : 24}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="track" x="0" y="3" width={SCALE} height="10" />
      <rect class="value" x="0" y="3" width={Math.round(clamp(value) * SCALE)} height="10" />
      {interval === undefined ? null : (
        <path class="range" vector-effect="non-scaling-stroke" fill="none" d={interval} />
      )}
    </svg>
  );
};

/** A line from end to end with a stop at each, below the bar: across it, it would need a contrast with both of its colours. */
const renderWhiskers = (low: number, high: number): string =>
  `M${computeChartPosition(low)} 15V23M${computeChartPosition(low)} 19H${computeChartPosition(high)}M${computeChartPosition(high)} 15V23`;

const clamp = (share: number): number => Math.min(1, Math.max(0, share));
const computeChartPosition = (share: number): number => Math.round(clamp(share) * SCALE);

/** A time of ours, in UTC: `2026-11-22 21:54`. @param ms Unix milliseconds */
export const Time = ({ ms }: { ms: number }) => {
  const iso = new Date(ms).toISOString();
  return <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}</time>;
};

export type Grade = 'A' | 'B' | 'C' | 'D' | 'F';

const RADIUS = 42;
/** The arc leaves a quarter open at its foot. */
const ARC = 0.75;
const LENGTH = 2 * Math.PI * RADIUS;

/** Of no points a dot is drawn, so that a score of 0 has the colour of its grade too. */
const LEAST_SHARE = 0.005;

type GaugeProps = { title: string; score: number; grade: Grade; language?: PageLanguage };

/** A score from 0 to 100 as an arc with its number and grade: an inline drawing without scripts or styles of its own. */
export const Gauge = ({ title, score, grade, language = DEFAULT_LANGUAGE }: GaugeProps) => (
  <figure class={`gauge ${grade}`}>
    <svg viewBox="0 0 100 92" role="img" aria-label={partsWords[language].gauge(title, score, grade)}>
      <Arc name="track" share={1} />
      <Arc name="value" share={Math.max(score / 100, LEAST_SHARE)} />
      <text x="50" y="55" text-anchor="middle" font-size="28" font-weight="700">
        {score}
      </text>
      <text class="grade" x="50" y="74" text-anchor="middle" font-size="13">
        {partsWords[language].grade(grade)}
      </text>
    </svg>
    <figcaption>{title}</figcaption>
  </figure>
);

const Arc = ({ name, share }: { name: 'track' | 'value'; share: number }) => (
  <circle
    class={name}
    cx="50"
    cy="50"
    r={RADIUS}
    fill="none"
    stroke-width="9"
    stroke-linecap="round"
    stroke-dasharray={`${(LENGTH * ARC * share).toFixed(2)} ${LENGTH.toFixed(2)}`}
    transform="rotate(135 50 50)"
  />
);

/** Shapes differ, so that no one depends on colours. */
const MARKS: Readonly<Record<CheckStatus, string>> = {
  pass: 'M2 6.5 5 9.5 10 3',
  partial: 'M2 6h8',
  fail: 'M2.5 2.5l7 7m0-7l-7 7',
  not_applicable: 'M9 3L3 9',
  unknown: 'M4 4.2a2 2 0 1 1 2.6 1.9v1M6.6 9.6v.2',
};

type StatusProps = {
  status: CheckStatus;
  language?: PageLanguage;
  /** What it is called here, where that is not the outcome of a check. */
  label?: string;
};

export const Status = ({ status, language = DEFAULT_LANGUAGE, label }: StatusProps) => (
  <span class={`status ${status}`}>
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path d={MARKS[status]} fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
    </svg>
    {label ?? partsWords[language].statuses[status]}
  </span>
);

/** The heading of a column; `number` where numbers are below it. */
export type Column = Child | { number: Child };

/** The head of a table. */
export const TableHead = ({ columns }: { columns: readonly Column[] }) => (
  <thead>
    <tr>
      {columns.map((column) =>
        isNumberColumn(column) ? (
          <th scope="col" class="number">
            {column.number}
          </th>
        ) : (
          <th scope="col">{column}</th>
        ),
      )}
    </tr>
  </thead>
);

const isNumberColumn = (column: Column): column is { number: Child } =>
  typeof column === 'object' && column !== null && 'number' in column;
