import { HOUR_MS } from '../../lib/time.ts';

/** How far back a search looks. */
export const SINCE = [
  { value: 'hour', text: 'Last hour', ms: HOUR_MS },
  { value: 'day', text: 'Last 24 hours', ms: 24 * HOUR_MS },
  { value: 'week', text: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
] as const;

export type Since = (typeof SINCE)[number]['value'];

/** A list to choose from, with its label. */
export const Choice = ({
  name,
  label,
  value,
  options,
}: {
  name: string;
  label: string;
  value: string;
  options: readonly { value: string; text: string }[];
}) => (
  <div>
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.text}
        </option>
      ))}
    </select>
  </div>
);

/** As the interfaces write times. Other texts would be guessed at. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** A time as someone wrote it, to the millisecond, in UTC; what is no time is text. */
export const Instant = ({ text }: { text: string }) => {
  const ms = TIMESTAMP.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) return <>{text}</>;
  const iso = new Date(ms).toISOString();
  return <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 23)} UTC`}</time>;
};

const MS_PER_S = 1_000;

/** Milliseconds as people read them: `0.25 ms`, `12.3 ms`, `1.24 s`. */
export function formatDuration(ms: number): string {
  if (ms >= MS_PER_S) return `${(ms / MS_PER_S).toFixed(2)} s`;
  return `${ms >= 100 || ms === 0 ? ms.toFixed(0) : ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
}

/** What each search has besides its own fields; '' for what is not set. */
export type SearchTerms = {
  filter: string;
  /** `1`: with the views of the console itself. */
  own: '1' | '';
  since: Since | '';
  /** When `since` began, for further pages of the same search. */
  from: string;
};

/** Path of a search with the fields that are set, at a page of it where asked for. The newest first is not said. */
export function formatSearchHref(
  path: string,
  { from = '', order = 'newest', ...fields }: { from?: string; order?: string } & Record<string, string>,
  page = '',
): string {
  const query = new URLSearchParams({
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
    ...(order === 'newest' ? {} : { order }),
    ...(page === '' ? {} : { ...(from === '' ? {} : { from }), page }),
  }).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The choice of how far back a search looks. */
export const SinceChoice = ({ value }: { value: Since | '' }) => (
  <Choice name="since" label="Time" value={value} options={TIMES} />
);

/** The console's own pages are left out of a search, unless asked for. */
export const OwnChoice = ({ value }: { value: '1' | '' }) => (
  <div class="choice">
    <input type="checkbox" id="own" name="own" value="1" checked={value === '1'} />
    <label for="own">With views of this console</label>
  </div>
);

const TIMES = [{ value: '', text: 'All that is stored' }, ...SINCE];

/** What the field of the filter has, with `own` attributes of its element. */
export const buildFilterField = <T extends object>(isRefused: boolean, own: T) =>
  ({
    id: 'filter',
    name: 'filter',
    ...own,
    spellcheck: false,
    autocapitalize: 'off',
    autocomplete: 'off',
    'aria-describedby': 'filter-problem',
    'aria-invalid': isRefused ? 'true' : undefined,
  }) as const;

/** Filters to begin with, each a search. */
export const FilterExamples = ({
  examples,
  href,
}: {
  examples: readonly { filter: string; text: string }[];
  href: (filter: string) => string;
}) => (
  <dl>
    {examples.map(({ filter, text }) => (
      <>
        <dt>{text}</dt>
        <dd>
          <a href={href(filter)}>
            <code>{filter}</code>
          </a>
        </dd>
      </>
    ))}
  </dl>
);

/** In the place of a search's results, where the search was refused. */
export const NotSearched = () => <p>Nothing was searched: see what is said of the field above.</p>;

/** In the place of an empty page: with a next one, only part of what is kept was looked at. @param noun `entry` */
export const NoneFound = ({ noun, next }: { noun: string; next: string | undefined }) => (
  <p>
    {next === undefined
      ? `No ${noun} matches.`
      : `No ${noun} matches among those searched so far. Continue the search.`}
  </p>
);

/** The ways on from a page of a search. `text`: what the next one has. */
export const SearchPages = ({
  page,
  next,
  text,
  href,
}: {
  page: string;
  next: string | undefined;
  text: string;
  href: (page?: string) => string;
}) => (
  <ul class="links">
    {page === '' ? null : (
      <li>
        <a href={href()}>Back to the first page</a>
      </li>
    )}
    {next === undefined ? null : (
      <li>
        <a href={href(next)}>{text}</a>
      </li>
    )}
  </ul>
);
