import { Time } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { State, type StateWord } from './tables.tsx';

/** What an operator wants to know at a glance, in the order of the page. */
export const QUESTIONS = {
  money: { title: 'Is money coming in?', well: 'Yes', unwell: 'Less than before' },
  up: { title: 'Is it up?', well: 'Yes', unwell: 'Not all of it' },
  customers: { title: 'Is a customer suffering?', well: 'No', unwell: 'Yes' },
  lapse: { title: 'Is something about to lapse?', well: 'No', unwell: 'Yes' },
} as const;

export type OverviewQuestion = keyof typeof QUESTIONS;

/** One answer: a word of state, a figure, and what it is of. It leads to the page where one can act. */
export type Signal = StateWord & {
  figure: string;
  note?: string;
  /** Where the answer is explained, in place of the signal's own page; null for nowhere. */
  href?: string | null;
  /** What a person must know before anything else on the page. */
  alert?: string;
  /** A second line: what the figure is made of. */
  from?: string | undefined;
};

/** A signal with its place; a headline is read before all others. It may be that it could not be looked up. */
export type OverviewSignal = {
  question: OverviewQuestion;
  title: string;
  href: string | null;
  isHeadline?: boolean;
} & (({ seen: true } & Signal) | { seen: false; isLate?: boolean });

export const COULD_NOT_LOOK = 'Could not read';
const STILL_LOOKING = 'Still being looked up';

/** `/console/`: four questions, and a line for each thing that answers one. */
export const renderOverview = (signals: readonly OverviewSignal[], nowMs: number): Html => (
  <>
    {signals.map((signal) => (signal.seen && signal.alert !== undefined ? <Alert {...signal} /> : null))}
    <Verdict signals={signals} />
    <AsOf nowMs={nowMs} isWhole={signals.every(({ seen }) => seen)} />
    <div class="questions">
      {Object.keys(QUESTIONS).map((question) => (
        <Answer
          question={question as OverviewQuestion}
          signals={signals.filter((signal) => signal.question === question)}
        />
      ))}
    </div>
  </>
);

const Alert = ({ title, alert = '' }: { title: string; alert?: string }) => (
  <p class="warning" role="status">
    <strong>{title}:</strong> {alert}
  </p>
);

/** Since when the page is so, and the way to look again where something is missing. */
const AsOf = ({ nowMs, isWhole }: { nowMs: number; isWhole: boolean }) => (
  <form method="get" action="/console/" class="as-of">
    <span class="small">
      As of <Time ms={nowMs} />
    </span>
    {isWhole ? null : <button class="small">Look again</button>}
  </form>
);

const ATTENTION: ReadonlySet<StateWord['mood']> = new Set(['warn', 'bad']);
const hasConcern = (signal: OverviewSignal): boolean => signal.seen && ATTENTION.has(signal.mood);

/** The whole page in one sentence. What could not be read is never "in order". */
const Verdict = ({ signals }: { signals: readonly OverviewSignal[] }) => {
  const open = signals.filter(hasConcern);
  const unseen = signals.filter(({ seen }) => !seen).length;
  const rest = describeUnseen(signals);
  if (open.length === 0)
    return (
      <p class="lead">{unseen === 0 ? 'Nothing needs you now.' : `Nothing that was read needs you now.${rest}`}</p>
    );
  return (
    <p class="lead">
      {open.length === 1 ? 'One thing needs a look' : `${open.length} things need a look`}:{' '}
      {open.map(({ title, href, question }, at) => (
        <>
          {at === 0 ? '' : ', '}
          <a href={href ?? `#question-${question}`}>{title}</a>
        </>
      ))}
      .{rest}
    </p>
  );
};

/** What is missing, once for the whole page. */
function describeUnseen(signals: readonly OverviewSignal[]): string {
  const unseen = signals.filter((signal) => !signal.seen);
  const late = unseen.filter((signal) => signal.isLate === true).length;
  const failed = unseen.length - late;
  return [
    ...(late === 0 ? [] : [` Still being looked up: ${late} of ${signals.length} answers. Look again in a minute.`]),
    ...(failed === 0
      ? []
      : [` ${failed} of ${signals.length} answers could not be read, which says nothing about what there is.`]),
  ].join('');
}

const Answer = ({ question, signals }: { question: OverviewQuestion; signals: readonly OverviewSignal[] }) => {
  if (signals.length === 0) return null;
  const { title } = QUESTIONS[question];
  return (
    <section class="card" aria-labelledby={`question-${question}`}>
      <div class="question">
        <h2 id={`question-${question}`}>{title}</h2>
        <State {...judgeQuestion(question, signals)} />
      </div>
      <Lines signals={signals.filter(({ isHeadline }) => isHeadline === true)} name="headlines" />
      <Lines signals={signals.filter(({ isHeadline }) => isHeadline !== true)} name="signals" />
    </section>
  );
};

const Lines = ({ signals, name }: { signals: readonly OverviewSignal[]; name: 'headlines' | 'signals' }) =>
  signals.length === 0 ? null : (
    <ul class={name}>
      {signals.map((signal) => (
        <li>
          {signal.href === null ? <span>{signal.title}</span> : <a href={signal.href}>{signal.title}</a>}
          {signal.seen ? <Seen {...signal} /> : <Unseen isLate={signal.isLate === true} />}
        </li>
      ))}
    </ul>
  );

/** One unread answer leaves the question open, unless another settles it. */
function judgeQuestion(question: OverviewQuestion, signals: readonly OverviewSignal[]): StateWord {
  const { well, unwell } = QUESTIONS[question];
  if (signals.some((signal) => signal.seen && signal.mood === 'bad')) return { text: unwell, mood: 'bad' };
  if (signals.some(hasConcern)) return { text: unwell, mood: 'warn' };
  if (signals.some(({ seen }) => !seen)) return { text: 'Not known yet', mood: 'warn' };
  const isKnown = signals.some((signal) => signal.seen && signal.mood === 'good');
  return isKnown ? { text: well, mood: 'good' } : { text: question === 'money' ? 'Nothing yet' : well, mood: 'idle' };
}

const Seen = ({ text, mood, figure, note, from }: Signal) => (
  <>
    <span class="reading">
      <strong>{figure}</strong> <State text={text} mood={mood} />
    </span>
    {note === undefined ? null : <span class="small">{note}</span>}
    {from === undefined ? null : <span class="small">{from}</span>}
  </>
);

const Unseen = ({ isLate }: { isLate: boolean }) => (
  <span class="reading">
    <span class="status unknown">{isLate ? STILL_LOOKING : COULD_NOT_LOOK}</span>
  </span>
);
