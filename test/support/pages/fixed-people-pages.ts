import type { JsonObject } from '../../../src/lib/json.ts';
import type { PaymentListItem } from '../../../src/payment/ledger/survey.ts';
import { type AppAccess, AppNames, renderAccessPage } from '../../../src/web/account/access.tsx';
import { accessWords } from '../../../src/web/account/access-words.ts';
import { Balance } from '../../../src/web/account/credits.tsx';
import { creditsWords } from '../../../src/web/account/credits-words.ts';
import { renderDeletePage } from '../../../src/web/account/delete.tsx';
import { deleteWords } from '../../../src/web/account/delete-words.ts';
import type { AccountFrame } from '../../../src/web/account/frame.tsx';
import { renderAccountOverview } from '../../../src/web/account/overview.tsx';
import { type BoughtReport, NewestReports } from '../../../src/web/account/reports.tsx';
import { reportsWords } from '../../../src/web/account/reports-words.ts';
import { readLogEntry } from '../../../src/web/console/log-lines.ts';
import { renderLogs } from '../../../src/web/console/logs.tsx';
import { type OverviewSignal, renderOverview } from '../../../src/web/console/overview.tsx';
import { PAYMENTS_PATH, renderPayments } from '../../../src/web/console/payments.tsx';
import { CONSOLE_HOME, renderConsoleShell } from '../../../src/web/console/shell.tsx';
import type { Html } from '../../../src/web/design/shell.tsx';
import type { PageLanguage } from '../../../src/web/language/language.ts';
import { renderSignInPage } from '../../../src/web/sign-in-page.tsx';
import { signInTerms } from '../../../src/authorization/people/siwe.ts';
import { BASE_URL, PAY_TO } from './fixed-pages.ts';

/** Pages of those who are signed in, customers and operators, made of data that is the same in every run. */

const NOW_MS = Date.UTC(2026, 10, 27, 12);
const MINUTE_MS = 60_000;
const CSRF = 'token';

const frame = (path: string, language: PageLanguage = 'en'): AccountFrame => ({
  language,
  csrf: CSRF,
  address: PAY_TO,
  path,
  nav: [
    { path: '/account/credits', title: creditsWords[language].title },
    { path: '/account/reports', title: reportsWords[language].title },
    { path: '/account/access', title: accessWords[language].title },
    { path: '/account/delete', title: deleteWords[language].title },
  ],
});

const boughtReport = (at: number, capability: string, site: string): BoughtReport => ({
  reportId: String(at).repeat(32),
  capability,
  site,
  by: at % 2 === 0 ? 'credits' : 'wallet',
  amountMicroUsd: 350_000,
  atMs: NOW_MS - at * 86_400_000,
  readableUntilMs: NOW_MS + (30 - at) * 86_400_000,
});

/** An app with access. @param clientName what it calls itself */
export const appCalled = (clientName: string, at = 0): AppAccess => ({
  grantId: `grant-${at}`,
  clientName,
  clientId: clientName,
  scopes: [{ scope: 'credits:use', text: 'Spend your prepaid credits' }],
  redirectHost: 'app.example',
  capMicroUsdc: 5_000_000,
  grantedAtS: NOW_MS / 1000,
});

export const renderAccount = async (language: PageLanguage = 'en'): Promise<string> => {
  const view = { balanceMicroUsdc: 4_650_000, reservedMicroUsdc: 350_000, pendingMicroUsdc: 0, clients: [] };
  const reports = [boughtReport(1, 'full_audit', 'lanternbay.example'), boughtReport(2, 'fix_pack', 'acme.example')];
  const apps = [appCalled('Desk assistant')];
  return String(
    await renderAccountOverview({
      frame: frame('/account', language),
      cards: [
        {
          id: 'credits',
          path: '/account/credits',
          title: creditsWords[language].title,
          more: creditsWords[language].more,
          body: Balance({ view, language }),
        },
        {
          id: 'reports',
          path: '/account/reports',
          title: reportsWords[language].title,
          more: reportsWords[language].more,
          body: NewestReports({ reports, language }),
        },
        {
          id: 'access',
          path: '/account/access',
          title: accessWords[language].title,
          more: accessWords[language].more,
          body: AppNames({ apps, language }),
        },
      ],
    }),
  );
};

export const renderAccess = async (apps: readonly AppAccess[], language: PageLanguage = 'en'): Promise<string> =>
  String(await renderAccessPage({ frame: frame('/account/access', language), apps, limit: undefined }));

export const renderDelete = async (language: PageLanguage = 'en'): Promise<string> =>
  String(
    await renderDeletePage({
      frame: frame('/account/delete', language),
      leftMicroUsdc: 4_650_000,
      isFresh: true,
      signInPath: '/signin?return_to=%2Faccount%2Fdelete',
    }),
  );

export const renderSignIn = async (language: PageLanguage = 'en'): Promise<string> =>
  String(
    await renderSignInPage({
      language,
      csrf: CSRF,
      returnTo: '/account',
      terms: signInTerms(BASE_URL, 8453),
      path: '/signin',
    }),
  );

const CONSOLE_PAGES = [
  ['Overview', CONSOLE_HOME],
  ['Money', '/console/money'],
  ['Payments', PAYMENTS_PATH],
  ['Logs', '/console/logs'],
  ['Traces', '/console/traces'],
] as const;

const renderConsole = async (title: string, path: string, children: Html): Promise<string> =>
  String(
    await renderConsoleShell({
      title,
      path,
      nav: CONSOLE_PAGES.map(([text, href]) => ({ text, href })),
      operator: { name: 'Robin Example' },
      signedInAtMs: NOW_MS,
      csrf: CSRF,
      here: path,
      children,
    }),
  );

const signals: readonly OverviewSignal[] = [
  {
    question: 'money',
    seen: true,
    title: 'Sales today',
    href: '/console/money',
    figure: '12.35 USD',
    note: '38 sales, 11.90 USD on a usual day',
    text: 'As usual',
    mood: 'good',
  },
  {
    question: 'up',
    seen: true,
    title: 'Runs of measurements',
    href: '/console/runs',
    figure: '2',
    note: 'None is late',
    text: 'On time',
    mood: 'good',
  },
  { question: 'up', seen: false, title: 'Queues', href: '/console/runs' },
  {
    question: 'customers',
    seen: true,
    title: 'Payments without an end',
    href: PAYMENTS_PATH,
    figure: '1',
    note: 'Since 14 minutes',
    text: 'Needs a look',
    mood: 'warn',
  },
  {
    question: 'lapse',
    seen: true,
    title: 'Certificates of channels',
    href: '/console/channels',
    figure: '62 days',
    text: 'In time',
    mood: 'good',
  },
];

export const renderConsoleOverview = async (): Promise<string> =>
  renderConsole('Overview', CONSOLE_HOME, await renderOverview(signals, Date.UTC(2026, 10, 22, 9, 30)));

/** A line of the ledger's list. @param reason what a facilitator said of it */
export const paymentBecause = (reason: string | undefined, at = 0): PaymentListItem => ({
  id: String(at).padStart(64, 'a1b2c3d4'),
  method: 'transfer',
  capability: 'full_audit',
  amountMicroUsdc: 350_000,
  payer: PAY_TO,
  state: reason === undefined ? 'settled' : 'refused',
  attempt: 1,
  firstClaimedAtMs: NOW_MS - at * MINUTE_MS,
  claimedAtMs: NOW_MS - at * MINUTE_MS,
  failures: 0,
  ...(reason === undefined ? { transaction: `0x${'5e'.repeat(32)}`, settledAtMs: NOW_MS } : { reason }),
  proof: { by: 'transfer', verified: true, provenPayer: reason === undefined, blockTimeS: NOW_MS / 1000 },
});

export const renderConsolePayments = async (payments: PaymentListItem[]): Promise<string> =>
  renderConsole(
    'Payments',
    PAYMENTS_PATH,
    await renderPayments({
      payments,
      shards: 256,
      unread: 0,
      capabilities: ['full_audit'],
      filter: { state: '', capability: '', payer: '' },
      nowMs: NOW_MS + MINUTE_MS,
    }),
  );

/** The page of logs, of entries as services write them. */
export const renderConsoleLogs = async (entries: readonly JsonObject[]): Promise<string> =>
  renderConsole(
    'Logs',
    '/console/logs',
    await renderLogs({
      asked: { filter: '', severity: '', since: '', request: '', own: '', order: 'newest', from: '' },
      page: '',
      maxDownload: 10,
      ok: true,
      next: undefined,
      lines: entries.map((entry) => readLogEntry(entry, 'projects/p')),
    }),
  );
