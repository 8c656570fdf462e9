import { formatReceiptNumber } from '../../../src/payment/credits/receipt-number.ts';
import { isCreditMonth, MAX_LINES_READ } from '../../../src/payment/credits/lines.ts';
import type { CreditAccountObject } from '../../../src/payment/credits/protocol.ts';
import type { CreditLine } from '../../../src/payment/credits/credit-line.ts';
import { sumCreditLines } from '../../../src/payment/credits/statement.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { countEvents } from '../../../src/rate-limits/rate-counts.ts';
import { runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import {
  RECEIPT_PATH,
  renderReceipt,
  renderStatement,
  type ReceiptSeller,
  STATEMENT_PATH,
} from '../../../src/web/account/receipt.tsx';
import type { Html } from '../../../src/web/design/shell.tsx';
import { logLine } from '../../shared/telemetry.ts';
import { createCreditAccounts } from '../bindings/credit-account.ts';
import { hasPdfBrowser, printReport } from '../bindings/pdf.ts';
import { refuseRequest, showPage } from '../pages/pages.ts';
import { buildPdfProblem } from '../pages/report-refusals.ts';
import type { AccountSection, AccountVisit } from './visit.ts';

/** PDFs of receipts that an account may have made in a minute: each is a run of a browser. */
export const RECEIPT_PDFS = 10;
/** Lines of the month that a statement counts. */
const MAX_STATEMENT_LINES = 10_000;
const MAX_BILLED_LINES = 6;
const MAX_BILLED_CHARS = 300;
const MAX_ID_CHARS = 400;

type Form = 'page' | 'pdf';
type Shown = Html | ProblemInput;

/** What of the account can be printed: a receipt of each top-up, and a statement of each month. */
export const receiptDownloads: NonNullable<AccountSection['downloads']> = [
  { path: RECEIPT_PATH, read: (visit) => send(visit, 'page', 'receipt', buildReceipt) },
  { path: `${RECEIPT_PATH}.pdf`, read: (visit) => send(visit, 'pdf', 'receipt', buildReceipt) },
  { path: STATEMENT_PATH, read: (visit) => send(visit, 'page', 'statement', buildStatement) },
  { path: `${STATEMENT_PATH}.pdf`, read: (visit) => send(visit, 'pdf', 'statement', buildStatement) },
];

const isRefused = (shown: Shown): shown is ProblemInput => typeof shown === 'object' && 'code' in shown;

async function send(
  visit: AccountVisit,
  form: Form,
  name: string,
  build: (visit: AccountVisit, form: Form) => Promise<Shown>,
): Promise<Response> {
  const { c, session } = visit;
  if (session.kind !== 'payer') return c.notFound();
  const shown = await build(visit, form);
  if (isRefused(shown)) return refuseRequest(c, shown);
  if (form === 'page') return showPage(c, shown);
  const count = { policy: 'receipts', caller: session.accountId, quota: RECEIPT_PDFS, count: 1 };
  const { isAllowed, retryAfterS } = await countEvents(c.env.RATE_COUNTER, count, Date.now());
  if (!isAllowed) return refuseRequest(c, buildProblem('rate_limited', { retryAfterS }));
  const printed = await printReport(c.env, String(shown));
  if (!printed.ok) {
    logLine({ event: 'pdf_unavailable', request_id: c.get('requestId'), reason: printed.reason });
    return refuseRequest(c, buildPdfProblem(printed.reason));
  }
  return new Response(printed.pdf, {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${name}.pdf"`,
      'cache-control': 'no-store',
    },
  });
}

const openAccount = ({ c, session }: AccountVisit): CreditAccountObject =>
  createCreditAccounts(c.env, logLine).open(session.accountId);

async function buildReceipt(visit: AccountVisit, form: Form): Promise<Shown> {
  const { c, session } = visit;
  const place = { atMs: Number(c.req.query('at') ?? ''), id: c.req.query('id') ?? '' };
  if (!Number.isSafeInteger(place.atMs) || place.id.length > MAX_ID_CHARS) return buildProblem('not_found');
  const found = await runOrUnavailable(async () => ({ line: await openAccount(visit).line(place) }), undefined);
  if (found === undefined) return buildProblem('ledger_unavailable');
  const { line } = found;
  if (line === undefined || (line.kind !== 'top_up' && line.kind !== 'card')) return buildProblem('not_found');
  const number = await formatReceiptNumber(session.accountId, line);
  const fields = { at: String(line.atMs), id: line.id };
  return renderReceipt({ ...buildPaper(visit, form, { path: RECEIPT_PATH, fields }), number, line });
}

async function buildStatement(visit: AccountVisit, form: Form): Promise<Shown> {
  const month = visit.c.req.query('month') ?? '';
  if (!isCreditMonth(month)) return buildProblem('not_found');
  const lines = await runOrUnavailable(() => readMonth(openAccount(visit), month), undefined);
  if (lines === undefined) return buildProblem('ledger_unavailable');
  if (lines.length === 0) return buildProblem('not_found');
  return renderStatement({
    ...buildPaper(visit, form, { path: STATEMENT_PATH, fields: { month } }),
    ...sumCreditLines(lines),
    month,
    isPartial: lines.length >= MAX_STATEMENT_LINES,
  });
}

async function readMonth(account: CreditAccountObject, month: string): Promise<readonly CreditLine[]> {
  const all: CreditLine[] = [];
  for (let after: CreditLine | undefined; all.length < MAX_STATEMENT_LINES; after = all.at(-1)) {
    const { lines } = await account.lines({ month, after, limit: MAX_LINES_READ });
    all.push(...lines);
    if (lines.length < MAX_LINES_READ) break;
  }
  return all;
}

type Page = { path: string; fields: Readonly<Record<string, string>> };

function buildPaper({ c, session, language }: AccountVisit, form: Form, { path, fields }: Page) {
  const { BASE_URL, SELLER_NAME, SELLER_ADDRESS, SELLER_TAX_ID } = c.get('settings');
  const billedTo = readBilledTo(c.req.query('to'));
  const query = new URLSearchParams({ ...fields, ...(billedTo === '' ? {} : { to: billedTo }) });
  return {
    language,
    service: new URL(BASE_URL).host,
    account: session.accountId,
    address: session.address,
    seller: readSeller(SELLER_NAME, SELLER_ADDRESS, SELLER_TAX_ID),
    billedTo,
    pdfPath: form === 'page' && hasPdfBrowser(c.env) ? `${path}.pdf?${query.toString()}` : undefined,
    fields,
  };
}

/** An invoice names its seller and where that is; a name alone makes none. */
function readSeller(
  name: string | undefined,
  address: string | undefined,
  taxId: string | undefined,
): ReceiptSeller | undefined {
  if (name === undefined || address === undefined) return undefined;
  const addressLines = address.split(';').map((line) => line.trim());
  return { name, addressLines, taxId };
}

/** Lines that the reader wants on the paper. They are shown as text and stored nowhere. */
const readBilledTo = (text = ''): string =>
  text
    .slice(0, MAX_BILLED_CHARS)
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/\p{C}/gu, '').trim())
    .filter((line) => line !== '')
    .slice(0, MAX_BILLED_LINES)
    .join('\n');
