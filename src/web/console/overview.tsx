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
  /** A second line: what the figure is made of. */
  from?: string | undefined;
};

/** A signal with its place; a headline is read before all others. It may be that it could not be looked up. */
export type OverviewSignal = { question: OverviewQuestion; title: string; href: string; isHeadline?: boolean } & (
  | ({ seen: true } & Signal)
  | { seen: false }
);

export const COULD_NOT_LOOK = 'Could not read';

/** `/console/`: four questions, and a line for each thing that answers one. */
export const renderOverview = (signals: readonly OverviewSignal[]): Html => (
  <>
    <Verdict signals={signals} />
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

const ATTENTION: ReadonlySet<StateWord['mood']> = new Set(['warn', 'bad']);
const hasConcern = (signal: OverviewSignal): boolean => signal.seen && ATTENTION.has(signal.mood);

/** The whole page in one sentence. What could not be read is never "in order". */
const Verdict = ({ signals }: { signals: readonly OverviewSignal[] }) => {
  const open = signals.filter(hasConcern);
  const unseen = signals.filter(({ seen }) => !seen).length;
  const rest = unseen === 0 ? '' : ` ${unseen} of ${signals.length} answers could not be read.`;
  if (open.length === 0)
    return (
      <p class="lead">{unseen === 0 ? 'Nothing needs you now.' : `Nothing that was read needs you now.${rest}`}</p>
    );
  return (
    <p class="lead">
      {open.length === 1 ? 'One thing needs a look' : `${open.length} things need a look`}:{' '}
      {open.map(({ title, href }, at) => (
        <>
          {at === 0 ? '' : ', '}
          <a href={href}>{title}</a>
        </>
      ))}
      .{rest}
    </p>
  );
};

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
          <a href={signal.href}>{signal.title}</a>
          {signal.seen ? <Seen {...signal} /> : <Unseen />}
        </li>
      ))}
    </ul>
  );

/** One unread answer leaves the question open, unless another settles it. */
function judgeQuestion(question: OverviewQuestion, signals: readonly OverviewSignal[]): StateWord {
  const { well, unwell } = QUESTIONS[question];
  if (signals.some((signal) => signal.seen && signal.mood === 'bad')) return { text: unwell, mood: 'bad' };
  if (signals.some(hasConcern)) return { text: unwell, mood: 'warn' };
  if (signals.some(({ seen }) => !seen)) return { text: 'Not known', mood: 'warn' };
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

const Unseen = () => (
  <>
    <span class="reading">
      <span class="status unknown">{COULD_NOT_LOOK}</span>
    </span>
    <span class="small">It did not answer in time. That says nothing about what there is.</span>
  </>
);
