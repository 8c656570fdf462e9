import { type CreditView } from '../../payment/credits/protocol.ts';
import { type CreditLine, isDebit } from '../../payment/credits/credit-line.ts';
import { formatUsdAmount, formatUsdBalance } from '../../payment/terms/constants.ts';
import { BuyPanel, type BuyPanelProps } from '../buying/panel.tsx';
import { formatCsv } from '../console/tables.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { TableHead } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { formatDollars } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { accountWords } from './account-words.ts';
import { formatCapabilityTitle } from './capability-name.ts';
import { type CardForm, PayByCard } from './cards.tsx';
import { creditsWords } from './credits-words.ts';
import { formatReceiptPath, formatStatementPath } from './receipt.tsx';
import { type AccountFrame, Amount, NotReadable, renderAccountFrame, When } from './frame.tsx';

export type CreditsPage = {
  frame: AccountFrame;
  /** Of the wallets whose payments the account is credited with; that of the frame when absent. */
  addresses?: readonly string[];
  /** Undefined: the account could not be asked. */
  view: CreditView | undefined;
  lines: readonly CreditLine[] | undefined;
  /** Months with movements, newest first: `2026-11`. */
  months: readonly string[];
  month: string | undefined;
  /** The address of the older part of the list. */
  older: string | undefined;
  packs: readonly { dollars: number; isChosen: boolean }[];
  buy: BuyPanelProps;
  /** A card buys the chosen pack; undefined where none does. */
  card?: CardForm | undefined;
};

/** What can be spent now, in large. */
export const Balance = ({ view, language }: { view: CreditView | undefined; language: PageLanguage }) => {
  if (view === undefined) return <NotReadable language={language} />;
  const words = creditsWords[language];
  const { balanceMicroUsdc, pendingMicroUsdc, reservedMicroUsdc } = view;
  return (
    <>
      <p class="balance">
        <span class="visually-hidden">{words.balance}: </span>
        <strong>{formatDollars(balanceMicroUsdc, language)}</strong>
      </p>
      {balanceMicroUsdc < 0 ? <p class="warning">{words.frozen}</p> : null}
      {pendingMicroUsdc > 0 ? <p class="small">{words.pending(formatDollars(pendingMicroUsdc, language))}</p> : null}
      {reservedMicroUsdc > 0 ? <p class="small">{words.reserved(formatDollars(reservedMicroUsdc, language))}</p> : null}
    </>
  );
};

export const renderCreditsPage = (page: CreditsPage): Html => {
  const { frame, view } = page;
  const { language } = frame;
  const words = creditsWords[language];
  return renderAccountFrame({
    ...frame,
    title: words.title,
    scripts: ['/web/account.js', '/web/copy.js'],
    children: (
      <>
        <Balance view={view} language={language} />
        <p>
          {words.lead} <a href="/docs/guides/credits">{words.how}</a>
        </p>
        <TopUp {...page} />
        <Use {...page} />
      </>
    ),
  });
};

const listOne = (address: string | undefined): readonly string[] => (address === undefined ? [] : [address]);

const TopUp = ({ frame: { language, address }, addresses = listOne(address), packs, buy, card }: CreditsPage) => {
  const words = creditsWords[language];
  return (
    <section aria-labelledby="add-title" id="add">
      <h2 id="add-title">{words.add}</h2>
      {addresses.length === 0 ? <NoWallet language={language} /> : <p class="url">{words.addText(addresses)}</p>}
      <ul class="choices">
        {packs.map(({ dollars, isChosen }) => (
          <li>
            <a
              class={`button${isChosen ? '' : ' quiet'}`}
              href={`/account/credits?pack=${dollars}#add`}
              aria-current={isChosen ? 'true' : undefined}
            >
              {formatDollars(dollars * 1_000_000, language)}
            </a>
          </li>
        ))}
      </ul>
      {card === undefined ? null : <PayByCard {...card} />}
      {addresses.length === 0 ? null : <BuyPanel {...buy} />}
    </section>
  );
};

/** Payments in USDC are credited to the account of the wallet that pays (rule P6): this account has none. */
const NoWallet = ({ language }: { language: PageLanguage }) => {
  const words = creditsWords[language];
  return (
    <p>
      {words.noWallet} <a href="/account/ways#add">{words.addWallet}</a>
    </p>
  );
};

const Use = ({ frame: { language }, lines, months, month, older }: CreditsPage) => {
  const words = creditsWords[language];
  return (
    <section aria-labelledby="use-title" id="use">
      <h2 id="use-title">{words.use}</h2>
      {lines === undefined ? <NotReadable language={language} /> : null}
      {lines !== undefined && months.length === 0 ? (
        <EmptyState title={words.emptyTitle} action={{ href: '#add', text: words.emptyAction }}>
          {words.emptyText}
        </EmptyState>
      ) : null}
      {lines === undefined || months.length === 0 ? null : (
        <>
          <MonthFilter language={language} months={months} month={month} />
          <Lines language={language} lines={lines} />
          <p>
            {older === undefined ? null : <a href={older}>{accountWords[language].next}</a>}{' '}
            <a href={`/account/credits.csv${month === undefined ? '' : `?month=${month}`}`} download>
              {words.csv}
            </a>{' '}
            {month === undefined ? null : <a href={formatStatementPath(month)}>{words.statement}</a>}
          </p>
          <p class="small">{words.kept}</p>
        </>
      )}
    </section>
  );
};

type MonthFilterProps = { language: PageLanguage; months: readonly string[]; month: string | undefined };

const MonthFilter = ({ language, months, month }: MonthFilterProps) => {
  const words = creditsWords[language];
  return (
    <form class="filter" method="get" action="/account/credits#use">
      <label for="month">{words.filter}</label>
      <select id="month" name="month">
        <option value="">{words.all}</option>
        {months.map((one) => (
          <option value={one} selected={one === month}>
            {one}
          </option>
        ))}
      </select>
      <button class="quiet">{words.show}</button>
    </form>
  );
};

const Lines = ({ language, lines }: { language: PageLanguage; lines: readonly CreditLine[] }) => {
  const [words, shared] = [creditsWords[language], accountWords[language]];
  return (
    <table class="stacking">
      <TableHead columns={[shared.date, shared.what, { number: shared.amount }, { number: words.balanceAfter }]} />
      <tbody>
        {lines.map((line) => (
          <tr>
            <th scope="row">
              <When ms={line.atMs} />
            </th>
            <td data-column={shared.what}>
              <What line={line} language={language} />
            </td>
            <td class="number" data-column={shared.amount}>
              <Amount microUsd={line.amountMicroUsdc} language={language} sign={isDebit(line) ? '−' : '+'} />
            </td>
            <td class="number" data-column={words.balanceAfter}>
              {line.balanceMicroUsdc === null ? (
                <span class="small">{words.unknownBalance}</span>
              ) : (
                formatDollars(line.balanceMicroUsdc, language)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const What = ({ line, language }: { line: CreditLine; language: PageLanguage }) => {
  const words = creditsWords[language];
  if (line.kind === 'top_up' || line.kind === 'card')
    return (
      <>
        {words.kind[line.kind]} <a href={formatReceiptPath(line)}>{words.receipt}</a>
      </>
    );
  if (line.kind !== 'call' && line.kind !== 'added') return <>{words.kind[line.kind]}</>;
  if (line.kind === 'added' && line.capability === '') return <>{words.kind.granted}</>;
  const title = formatCapabilityTitle(line.capability, language);
  if (line.kind === 'added') return <>{words.givenBack(title)}</>;
  return line.reportId === undefined ? <>{title}</> : <a href={`/reports/${line.reportId}`}>{title}</a>;
};

/** The movements as a file, the oldest last as on the page: `amount_usd` is never negative, `kind` says which way. */
export const formatCreditsCsv = (lines: readonly CreditLine[]): string =>
  formatCsv([
    ['time', 'kind', 'capability', 'amount_usd', 'balance_after_usd', 'report_id'],
    ...lines.map(({ atMs, kind, capability, amountMicroUsdc, balanceMicroUsdc, reportId = '' }) => [
      new Date(atMs).toISOString(),
      isDebit({ kind }) ? 'debit' : 'credit',
      capability,
      formatUsdAmount(amountMicroUsdc),
      balanceMicroUsdc === null ? '' : formatUsdBalance(balanceMicroUsdc),
      reportId,
    ]),
  ]);
