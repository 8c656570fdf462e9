import type { Child } from 'hono/jsx';
import type { CreditLine } from '../../payment/credits/credit-line.ts';
import type { CreditStatement } from '../../payment/credits/statement.ts';
import { TableHead } from '../design/parts.tsx';
import { type Html, renderDocument, renderHiddenFields } from '../design/shell.tsx';
import { formatDollars, formatLongDay, formatUsdcAmount, formatWholeNumber } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { formatCapabilityTitle } from './capability-name.ts';
import { ACCOUNT_STYLES } from './frame.tsx';
import { receiptWords } from './receipt-words.ts';

export const RECEIPT_PATH = '/account/credits/receipt';
export const STATEMENT_PATH = '/account/credits/statement';

/** The receipt of a top-up. */
export const formatReceiptPath = ({ atMs, id }: Pick<CreditLine, 'atMs' | 'id'>): string =>
  `${RECEIPT_PATH}?${new URLSearchParams({ at: String(atMs), id }).toString()}`;

/** The statement of a month, as `2026-11`. */
export const formatStatementPath = (month: string): string => `${STATEMENT_PATH}?month=${month}`;

/** Who sells, by the settings of the deployment. */
export type ReceiptSeller = { name: string; addressLines: readonly string[]; taxId: string | undefined };

type Paper = {
  language: PageLanguage;
  service: string;
  account: string;
  /** The address that paid, where the account has one. */
  address: string | undefined;
  seller: ReceiptSeller | undefined;
  /** What the reader wrote: lines of a name and an address. */
  billedTo: string;
  /** This page as a PDF, with all that it says; undefined where there is no browser, and in the PDF itself. */
  pdfPath: string | undefined;
  /** The query of the page without what the form sets. */
  fields: Readonly<Record<string, string>>;
};

export type ReceiptPage = Paper & { number: string; line: CreditLine };

/** A top-up as a receipt; with the name and address of the seller as an invoice too. */
export const renderReceipt = (page: ReceiptPage): Html => {
  const { language, number, line, seller } = page;
  const words = receiptWords[language];
  const amount = formatDollars(line.amountMicroUsdc, language);
  const title = seller === undefined ? words.receipt : words.invoice;
  return renderPaper(
    { ...page, title, path: RECEIPT_PATH },
    [
      [words.number, number],
      [words.date, formatLongDay(line.atMs, language)],
    ],
    <>
      <table>
        <TableHead columns={[words.item, { number: words.count }, { number: words.amount }]} />
        <tbody>
          <tr>
            <th scope="row">{words.credits(amount)}</th>
            <td class="number">1</td>
            <td class="number">{amount}</td>
          </tr>
          <tr>
            <th scope="row">{words.total}</th>
            <td></td>
            <td class="number">
              <strong>{amount}</strong>
            </td>
          </tr>
        </tbody>
      </table>
      <p>
        {words.paid}:{' '}
        {line.kind === 'card' ? words.byCard : words.byUsdc(formatUsdcAmount(line.amountMicroUsdc, language))}
      </p>
      {seller === undefined ? <p class="small">{words.noSeller}</p> : null}
      <p class="small">{words.numberNote}</p>
    </>,
  );
};

export type StatementPage = Paper & CreditStatement & { month: string; isPartial: boolean };

/** What was bought and used in a month. */
export const renderStatement = (page: StatementPage): Html => {
  const { language, month, rows, openingMicroUsdc, closingMicroUsdc, isPartial } = page;
  const words = receiptWords[language];
  const format = (micro: number | undefined): string =>
    micro === undefined ? words.unknown : formatDollars(micro, language);
  return renderPaper(
    { ...page, title: words.statement(month), path: STATEMENT_PATH },
    [],
    <>
      <table>
        <TableHead columns={[words.item, { number: words.count }, { number: words.amount }]} />
        <tbody>
          <Balance label={words.opening} text={format(openingMicroUsdc)} />
          {rows.map(({ kind, capability, count, microUsdc }) => (
            <tr>
              <th scope="row">{kind === 'call' ? formatCapabilityTitle(capability, language) : words.kinds[kind]}</th>
              <td class="number">{formatWholeNumber(count, language)}</td>
              <td class="number">{formatDollars(microUsdc, language)}</td>
            </tr>
          ))}
          <Balance label={words.closing} text={format(closingMicroUsdc)} />
        </tbody>
      </table>
      {isPartial ? <p>{words.partial}</p> : null}
    </>,
  );
};

const Balance = ({ label, text }: { label: string; text: string }) => (
  <tr>
    <th scope="row">{label}</th>
    <td></td>
    <td class="number">{text}</td>
  </tr>
);

type Fact = readonly [name: string, value: string];

const renderPaper = (paper: Paper & { title: string; path: string }, facts: readonly Fact[], children: Child): Html => {
  const { language, title, service, account, address, seller, billedTo } = paper;
  const words = receiptWords[language];
  return renderDocument({
    title,
    language,
    path: paper.path,
    styles: [...ACCOUNT_STYLES],
    narrow: true,
    children: (
      <div class="receipt">
        <dl class="facts">
          {facts.map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
          <dt>{words.seller}</dt>
          <dd>
            <SellerLines seller={seller} service={service} />
          </dd>
          {billedTo === '' ? null : (
            <>
              <dt>{words.buyer}</dt>
              <dd class="to">{billedTo}</dd>
            </>
          )}
          <dt>{words.account}</dt>
          <dd>
            <code>{address ?? account}</code>
          </dd>
        </dl>
        {children}
        <Tools {...paper} />
      </div>
    ),
  });
};

const SellerLines = ({ seller, service }: Pick<Paper, 'seller' | 'service'>) =>
  seller === undefined ? (
    <>{service}</>
  ) : (
    <address>
      {[seller.name, ...seller.addressLines, ...(seller.taxId === undefined ? [] : [seller.taxId]), service].join('\n')}
    </address>
  );

/** On a screen alone. */
const Tools = ({ language, pdfPath, billedTo, fields, path }: Paper & { path: string }) => {
  const words = receiptWords[language];
  return (
    <div class="screen-only">
      <form method="get" action={path}>
        {renderHiddenFields(fields)}
        <label for="to">{words.billedTo}</label>
        <textarea id="to" name="to" rows={4} maxlength={300}>
          {billedTo}
        </textarea>
        <p class="small">{words.billedToNote}</p>
        <button class="quiet">{words.show}</button>
      </form>
      {pdfPath === undefined ? null : (
        <p>
          <a class="button" href={pdfPath}>
            {words.pdf}
          </a>
        </p>
      )}
      <p>
        <a href="/account/credits">{words.back}</a>
      </p>
    </div>
  );
};
