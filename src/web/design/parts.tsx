import type { Child } from 'hono/jsx';

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

/** Text to take along. The button appears where scripts run: `copy.ts` finds it by `data-copy`. */
export const Code = ({ text, label = 'Copy', language }: { text: string; label?: string; language?: string }) => (
  <div class="code">
    <button type="button" class="quiet small" data-copy hidden>
      {label}
    </button>
    <pre tabindex={0}>
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

export { formatPercent } from './percent.ts';
