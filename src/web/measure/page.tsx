import { MAX_NAME_LENGTH } from '../../capabilities/bodies.ts';
import { escapeControls } from '../../lib/safe-text.ts';
import { type EngineKind, engineLabels, isDemonstration } from '../../models/port.ts';
import { FULL_VALID, MIN_VALID } from '../../visibility/run/run.ts';
import { PROMPT_COUNT } from '../../visibility/run/prompts.ts';
import { BuyPanel, type BuyPanelProps, formatPriceUsd } from '../buying/panel.tsx';
import { ASSETS, renderDocument, type Html } from '../design/shell.tsx';

export const MEASURE_PATH = '/measure';
export const MEASURE_TWO_PATH = '/measure/compare';

/** What is in the fields, as someone typed it or a link put it there. */
export type MeasureFields = { brand: string; niche: string; competitor_brand: string };
export type MeasureField = keyof MeasureFields;

export const FIELD_LABELS: Readonly<Record<MeasureField, string>> = {
  brand: 'Your brand',
  competitor_brand: 'Brand to compare with',
  niche: 'What buyers ask for',
};

export type MeasurePage = {
  baseUrl: string;
  /** Two brands on the same answers, or one. */
  isComparison: boolean;
  fields: MeasureFields;
  buy: BuyPanelProps;
  /** Price of the other of the two measurements, as the catalogue spells it. */
  otherPriceUsd: string;
  /** Longest time of a measurement, in seconds. */
  limitS: number;
  /** Who is asked. Undefined: no one, so nothing can be measured here. */
  engine: { kind: EngineKind; model: string } | undefined;
  /** The questions about the niche, once the fields are good. */
  questions?: readonly string[] | undefined;
  /** What is wrong with the fields, in our words. */
  faults?: readonly string[] | undefined;
};

const DESCRIPTION =
  'Measure how often an AI assistant names and recommends your brand when buyers ask about your market, and whom it names instead.';

/** The measurement of a brand: price, time and engine first, then the form, the questions, and the way to buy. */
export const measurePage = (page: MeasurePage): Html => {
  const { baseUrl, isComparison, fields, engine, questions, faults = [], buy } = page;
  const path = isComparison ? MEASURE_TWO_PATH : MEASURE_PATH;
  return renderDocument({
    title: isComparison ? 'Compare two brands in AI answers' : 'Measure a brand in AI answers',
    path,
    description: DESCRIPTION,
    canonical: `${baseUrl}${path}`,
    index: Object.values(fields).every((text) => text === ''),
    styles: [`${ASSETS}/audit.css`],
    scripts: [`${ASSETS}/measure.js`],
    children: (
      <>
        <p class="lead">
          {isComparison
            ? 'See which of two brands an AI assistant names more often when buyers ask about your market, and whether the difference is more than chance.'
            : 'See how often an AI assistant names and recommends your brand when buyers ask about your market, and whom it names instead.'}
        </p>
        <Facts {...page} />
        {engine === undefined ? <NoEngine /> : null}
        {engine !== undefined && isDemonstration(engine) ? <Demonstration kind={engine.kind} /> : null}
        <Form {...page} />
        {faults.length === 0 ? null : <Faults faults={faults} />}
        {questions === undefined ? null : <Questions texts={questions} />}
        {engine === undefined ? null : <BuyPanel {...buy} />}
        <p class="small">
          <a href="/docs/guides/measure-a-brand">How to choose the words, and how to read the result</a>
        </p>
      </>
    ),
  });
};

/** What must be known before a field is filled. */
const Facts = ({ isComparison, buy, otherPriceUsd, limitS, engine }: MeasurePage) => (
  <dl class="measure-before">
    <dt>Price</dt>
    <dd>
      <strong>{formatPriceUsd(buy.priceUsd)} USDC</strong>, about {formatPriceUsd(buy.priceUsd)} US dollars, once. You
      pay only if at least {MIN_VALID} of the {PROMPT_COUNT} questions get an answer.
    </dd>
    <dt>Time</dt>
    <dd>Often under a minute, {limitS / 60} minutes at most. Leave this page open.</dd>
    <dt>What is asked</dt>
    <dd>
      {PROMPT_COUNT} fixed questions about the market, five of each kind. None of them names a brand. With fewer than{' '}
      {FULL_VALID} answers the report says that its ranges are wide.
    </dd>
    <dt>Who is asked</dt>
    <dd>
      {engine === undefined ? (
        'No one: see below.'
      ) : (
        <>
          One assistant, once per question: {engineLabels[engine.kind]} (<code>{engine.model}</code>)
        </>
      )}
    </dd>
    <dt>What you get</dt>
    <dd>
      {isComparison
        ? 'A verdict or “too close to call”, and for each brand its mention rate, recommendation rate and share of voice, each with its range.'
        : 'Mention rate, recommendation rate and share of voice, each with its range; the rivals that are named; the kinds of question in which they are ahead.'}{' '}
      The report can be read, shared and printed for 30 days.
    </dd>
    <dt>Other measurement</dt>
    <dd>
      {isComparison ? (
        <a href={MEASURE_PATH}>Measure one brand for {formatPriceUsd(otherPriceUsd)} USDC</a>
      ) : (
        <a href={MEASURE_TWO_PATH}>Compare two brands for {formatPriceUsd(otherPriceUsd)} USDC</a>
      )}
    </dd>
  </dl>
);

const NoEngine = () => (
  <p class="warning">
    Nothing can be measured or bought here: the operator of this service has connected no AI model. You can still see
    the questions, and measure on your own machine with <code>sightline visibility</code>.
  </p>
);

/** What results of an engine that is no model can say, and what they cannot. */
const Demonstration = ({ kind }: { kind: EngineKind }) => (
  <p class="warning">
    {kind === 'recorded' ? (
      'This service replays answers from a file: no AI model is asked now. The figures describe that file.'
    ) : (
      <>
        This service has a simulated engine: its answers are invented, and no AI model is asked. It can show you what a
        result looks like. It cannot say anything about a real brand: it knows invented brands only, so yours comes out
        at 0 %. Try <q>Example Desk</q> and <q>Sample Support</q> in the market <q>help desk software</q>.
      </>
    )}
  </p>
);

const Form = ({ isComparison, fields }: MeasurePage) => (
  <form id="measure-form" class="card" method="get" action={isComparison ? MEASURE_TWO_PATH : MEASURE_PATH}>
    <Field name="brand" value={fields.brand} hint="As people write it, such as Example Desk." />
    {isComparison ? (
      <Field name="competitor_brand" value={fields.competitor_brand} hint="Another brand, such as Sample Support." />
    ) : null}
    <Field
      name="niche"
      value={fields.niche}
      hint="The market as a buyer would type it, without a brand: help desk software, CRM for dentists. It is put into the questions."
    />
    <p class="buttons">
      <button type="submit" class="quiet">
        Show the {PROMPT_COUNT} questions, free
      </button>
    </p>
  </form>
);

const Field = ({ name, value, hint }: { name: MeasureField; value: string; hint: string }) => (
  <>
    <label for={`measure-${name}`}>{FIELD_LABELS[name]}</label>
    <input
      id={`measure-${name}`}
      name={name}
      type="text"
      autocomplete="off"
      maxlength={MAX_NAME_LENGTH}
      required
      aria-describedby={`measure-${name}-hint`}
      value={value}
    />
    <p id={`measure-${name}-hint`} class="small">
      {hint}
    </p>
  </>
);

const Faults = ({ faults }: { faults: readonly string[] }) => (
  <div class="warning" role="alert">
    {faults.map((fault) => (
      <p>{escapeControls(fault)}</p>
    ))}
  </div>
);

const Questions = ({ texts }: { texts: readonly string[] }) => (
  <section class="card" aria-labelledby="questions-title">
    <h2 id="questions-title">The {texts.length} questions</h2>
    <p>
      If several sound odd, change the words of the market and show them again. Nothing has been asked or charged yet.
    </p>
    <ol>
      {texts.map((text) => (
        <li>{escapeControls(text)}</li>
      ))}
    </ol>
  </section>
);
