import { type CapabilityName, panelNames } from '../../capabilities/capability-name.ts';
import { escapeControls } from '../../lib/safe-text.ts';
import { type EngineKind, isDemonstration } from '../../models/port.ts';
import { BuyPanel, type BuyPanelProps } from '../buying/panel.tsx';
import { engineWords } from '../design/engine-words.ts';
import { OpenGraph } from '../design/open-graph.tsx';
import { ASSETS, type Html, renderDocument } from '../design/shell.tsx';
import { formatDollars, formatUsdcAmount } from '../language/amounts.ts';
import { formatCountry } from '../language/countries.ts';
import type { PageLanguage } from '../language/language.ts';
import { formatCapabilityLink, formatCapabilityPath } from './address.ts';
import type { FieldFault, FieldReader, PageRow } from './faults.ts';
import { listOrderFields } from './fields.ts';
import { Form, formatFieldId, type OfferedLine } from './form.tsx';
import { orderWords } from './page-words.ts';
import { describeRow, findExampleBody, findFreeLook, listRelatedRows } from './rows.ts';

export type CapabilityPage = {
  row: PageRow;
  baseUrl: string;
  language: PageLanguage;
  /** Path and query, for the language switch to lead back. */
  address: string;
  /** Search engines may show the page as it is without anything filled in. */
  index: boolean;
  read: FieldReader;
  /** What is wrong with the fields. Undefined: nothing was filled in yet. */
  faults?: readonly FieldFault[] | undefined;
  /** The body that the fields make, where it is good. */
  body?: Readonly<Record<string, unknown>> | undefined;
  buy: BuyPanelProps;
  /** Who is asked by a row that asks. Undefined: no one, so it cannot be bought here. */
  engine?: { kind: EngineKind; model: string } | undefined;
  /** All engines that are configured, in the order of the settings. */
  engines?: readonly OfferedEngine[] | undefined;
  /** The questions about the market, once the fields are good, and the language they are in. */
  questions?: { texts: readonly string[]; language: string } | undefined;
};

/** An engine that can be asked here. */
export type OfferedEngine = {
  name: string;
  kind: EngineKind;
  model: string;
  webSearch: boolean;
  country?: string | undefined;
};

/** The page of a row: what must be known first, then the form, what can be seen for free, and the way to buy. */
export const renderCapabilityPage = (page: CapabilityPage): Html => {
  const { row, baseUrl, language, address, index, faults = [], engine, questions, buy } = page;
  const path = formatCapabilityPath(row.name);
  const { heading, lead } = describeRow(row, language);
  const isSold = isRowSold(page);
  return renderDocument({
    title: heading,
    language,
    path: address,
    description: lead,
    canonical: `${baseUrl}${path}`,
    index,
    head: <OpenGraph title={heading} description={lead} url={`${baseUrl}${path}`} />,
    styles: [`${ASSETS}/order.css`],
    scripts: [`${ASSETS}/order.js`],
    children: (
      <>
        <p class="lead">{lead}</p>
        <div class="order">
          <Facts {...page} />
          <div class="order-main">
            {isSold ? null : <NoEngine {...page} />}
            {engine !== undefined && isDemonstration(engine) ? (
              <Demonstration kind={engine.kind} language={language} />
            ) : null}
            {faults.length === 0 ? null : <Faults faults={faults} language={language} />}
            <OrderFields {...page} path={path} isSold={isSold} />
            {questions === undefined ? (
              <Filled {...page} />
            ) : (
              <Questions asked={questions} language={language} isSold={isSold} />
            )}
            <FreeAudit {...page} />
            <Compared {...page} />
            {isSold ? <BuyPanel {...buy} /> : null}
          </div>
        </div>
        <Related {...page} />
      </>
    ),
  });
};

const QUESTIONS = 'questions-title';

const countEngines = ({ engine, engines }: Pick<CapabilityPage, 'engine' | 'engines'>): number =>
  engines?.length ?? (engine === undefined ? 0 : 1);

/** Whether enough engines are configured for the row. */
const isRowSold = (page: CapabilityPage): boolean =>
  !page.row.engineBacked || countEngines(page) >= (page.row.engineCount ?? 1);

const OrderFields = ({
  row,
  read,
  faults = [],
  language,
  path,
  isSold,
  engines = [],
}: CapabilityPage & { path: string; isSold: boolean }) => {
  const words = orderWords[language];
  const example = findExampleBody(row);
  // What was asked to be seen is where the page opens.
  const target = findFreeLook(row) === 'questions' ? `${path}#${QUESTIONS}` : path;
  return (
    <Form
      {...{ path: target, read, faults, language, example }}
      fields={listOrderFields(row)}
      offered={engines.length === 0 ? undefined : { engines: engines.map((one) => buildEngineLine(one, language)) }}
    >
      <p class="buttons">
        <button type="submit" class="quiet">
          {findFreeLook(row) === 'questions' ? words.questions : words.check}
        </button>
        {isSold ? (
          <a class="button quiet" href="#buy-title">
            {words.toBuy}
          </a>
        ) : null}
        {Object.keys(example).length === 0 ? null : (
          <a class="button quiet" href={formatCapabilityLink(row.name, example)} rel="nofollow">
            {words.example}
          </a>
        )}
      </p>
    </Form>
  );
};

/** A box of the engines that can be chosen. */
export const buildEngineLine = (engine: OfferedEngine, language: PageLanguage): OfferedLine => ({
  value: engine.name,
  label: <EngineName engine={engine} language={language} />,
});

const EngineName = ({ engine, language }: { engine: OfferedEngine; language: PageLanguage }) => {
  const { withSearch, withoutSearch, askedFrom } = orderWords[language];
  return (
    <>
      <strong>{engine.name}</strong>: {engineWords[language][engine.kind]} (<code>{engine.model}</code>),{' '}
      {engine.webSearch ? withSearch : withoutSearch}
      {engine.country === undefined ? '' : `, ${askedFrom(formatCountry(engine.country, language))}`}
    </>
  );
};

/** What must be known before a field is filled. */
const Facts = ({ row, engine, engines, language }: CapabilityPage) => {
  const words = orderWords[language];
  const { gets } = describeRow(row, language);
  return (
    <dl class="order-facts">
      <div>
        <dt>{words.price}</dt>
        <dd>
          <strong class="price">{formatDollars(row.priceMicroUsdc, language)}</strong> (
          {formatUsdcAmount(row.priceMicroUsdc, language)}) {words.once}{' '}
          {findFreeLook(row) !== 'questions'
            ? words.noResult
            : (row.engineCount ?? 1) > 1
              ? words.fewPanelAnswers
              : words.fewAnswers}
        </dd>
      </div>
      <div>
        <dt>{words.time}</dt>
        <dd>{words.atMost(row.worstCaseS)}</dd>
      </div>
      {row.engineBacked ? <Asked row={row} engine={engine} engines={engines} language={language} /> : null}
      <div>
        <dt>{words.gets}</dt>
        <dd>
          <ul>
            {gets.map((one) => (
              <li>{one}</li>
            ))}
            <li>{words.readable}</li>
          </ul>
        </dd>
      </div>
    </dl>
  );
};

const Asked = ({
  row,
  engine,
  engines = [],
  language,
}: Pick<CapabilityPage, 'row' | 'engine' | 'engines' | 'language'>) => {
  const words = orderWords[language];
  const { engineCount = 1 } = row;
  return (
    <>
      <div>
        <dt>{words.asked}</dt>
        <dd>{words.askedText}</dd>
      </div>
      <div>
        <dt>{words.assistant}</dt>
        <dd>
          {engine === undefined ? (
            words.noAssistant
          ) : engineCount > 1 ? (
            <>
              {words.severalAssistants(engineCount, engines.length)}
              <ul>
                {engines.map((one) => (
                  <li>
                    <EngineName engine={one} language={language} />
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <>
              {words.oneAssistant} {engineWords[language][engine.kind]} (<code>{engine.model}</code>)
            </>
          )}
        </dd>
      </div>
    </>
  );
};

const NoEngine = (page: CapabilityPage) => {
  const { row, language } = page;
  const { noEngine, fewEngines, withoutEngine } = orderWords[language];
  const count = countEngines(page);
  return (
    <p class="warning">
      {count === 0 ? noEngine : fewEngines(row.engineCount ?? 1, count)}{' '}
      {findFreeLook(row) === 'questions' ? (
        <>
          {withoutEngine} <code>sightline visibility</code>.
        </>
      ) : null}
    </p>
  );
};

/** What results of an engine that is no model can say, and what they cannot. */
const Demonstration = ({ kind, language }: { kind: EngineKind; language: PageLanguage }) => {
  const { recorded, simulated } = orderWords[language];
  return (
    <p class="warning">
      {kind === 'recorded' ? (
        recorded
      ) : (
        <>
          {simulated.before} <q>Example Desk</q> {simulated.and} <q>Sample Support</q> {simulated.inMarket}{' '}
          <q>help desk software</q>
          {simulated.after}
        </>
      )}
    </p>
  );
};

/** Each leads to its field. */
const Faults = ({ faults, language }: { faults: readonly FieldFault[]; language: PageLanguage }) => (
  <div class="warning" role="alert" data-faults>
    <p>{orderWords[language].faults(faults.length)}</p>
    <ul>
      {faults.map(({ name, text }) => (
        <li>{name === undefined ? text : <a href={`#${formatFieldId(name)}`}>{text}</a>}</li>
      ))}
    </ul>
  </div>
);

const Filled = (page: CapabilityPage) =>
  page.body === undefined || !isRowSold(page) ? null : (
    <p class="note" role="status">
      {orderWords[page.language].filled} <a href="#buy-title">{orderWords[page.language].toBuy}</a>
    </p>
  );

type QuestionsProps = { asked: NonNullable<CapabilityPage['questions']>; language: PageLanguage; isSold: boolean };

const Questions = ({ asked: { texts, language: spoken }, language, isSold }: QuestionsProps) => {
  const words = orderWords[language];
  return (
    <section class="card" aria-labelledby={QUESTIONS}>
      <h2 id={QUESTIONS}>{words.questionsTitle(texts.length)}</h2>
      <p>
        {words.questionsText} {isSold ? <a href="#buy-title">{words.toBuy}</a> : null}
      </p>
      <ol lang={spoken}>
        {texts.map((text) => (
          <li>{escapeControls(text)}</li>
        ))}
      </ol>
    </section>
  );
};

/** Leads to the live audit of the same site, which starts nothing by itself. */
const FreeAudit = ({ row, body, language }: CapabilityPage) => {
  if (findFreeLook(row) !== 'audit') return null;
  const { auditFirst, auditFirstText } = orderWords[language];
  const url = body?.['url'];
  return (
    <p class="note">
      <a href={formatCapabilityLink('full_audit', url === undefined ? {} : { url })}>{auditFirst}</a>. {auditFirstText}
    </p>
  );
};

/** Leads to the comparison, and to panels of several engines, with what was filled in. */
const Compared = ({ row, read, language }: CapabilityPage) => {
  const isCheck = row.name === ('visibility_check' satisfies CapabilityName);
  const others = panelNames.filter((name) => name !== row.name);
  if (!isCheck && others.length === panelNames.length) return null;
  const filled = { brand: read('brand') || undefined, niche: read('niche') || undefined };
  const { compareInstead, compareInsteadText, panelsText, panelLinks } = orderWords[language];
  const panels = (
    <p class="note">
      {panelsText}{' '}
      {others.map((name, at) => (
        <>
          {at === 0 ? '' : ', '}
          <a href={formatCapabilityLink(name, filled)} rel="nofollow">
            {panelLinks[name]}
          </a>
        </>
      ))}
      .
    </p>
  );
  if (!isCheck) return panels;
  return (
    <>
      <p class="note">
        {compareInsteadText}{' '}
        <a href={formatCapabilityLink('visibility_vs_competitor' satisfies CapabilityName, filled)} rel="nofollow">
          {compareInstead}
        </a>
        .
      </p>
      {panels}
    </>
  );
};

const Related = ({ row, language }: CapabilityPage) => {
  const rows = listRelatedRows(row);
  const words = orderWords[language];
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="related-title">
      <h2 id="related-title">{words.related}</h2>
      <ul class="grid">
        {rows.map((other) => {
          const { heading, lead } = describeRow(other, language);
          return (
            <li class="card">
              <p>
                <a href={formatCapabilityPath(other.name)}>{heading}</a>
              </p>
              <p class="small">{lead}</p>
              <p class="small">{formatDollars(other.priceMicroUsdc, language)}</p>
            </li>
          );
        })}
      </ul>
      {findFreeLook(row) === 'questions' ? (
        <p class="small">
          <a href="/docs/guides/measure-a-brand">{words.guide}</a>
        </p>
      ) : null}
    </section>
  );
};
