import type { WayKind } from '../authorization/people/ways.ts';
import type { AdjustRefusal, Adjustment } from '../payment/credits/adjustments.ts';
import type { CreditEntries } from '../payment/credits/entries.ts';
import type { CustomerTotal } from '../payment/ledger/books.ts';
import type { CreditView } from '../payment/credits/protocol.ts';
import type { NotOperated, Operated, OperatorCommand } from '../authorization/operators/commands.ts';
import type { SecretAge, SecretPrint, SecretsSeen } from '../authorization/operators/secret-ages.ts';
import type { NotRead, ReadResult } from './operations.ts';

/** An account that paid, or gave a client access; what it can spend is the word of the object of its credits. */
export type CustomerLine = {
  account: string;
  address: string;
  createdAtMs: number;
  credits: ReadResult<CreditView> | NotRead;
};
/** In the order of addresses. `next` beside fewer lines than asked for: so many rows were looked at. */
export type CustomersPage = { customers: CustomerLine[]; next?: string };
export type CustomersAsked = { search: string; limit: number; after?: string };

/** An address by what it paid, and its account where it has one. */
export type PayingCustomer = CustomerTotal & {
  customer?: Pick<CustomerLine, 'account' | 'createdAtMs' | 'credits'>;
};
/** Who paid most comes first. `after`: the last line of the page before. */
export type PayingCustomersAsked = { limit: number; after?: { payer: string; microUsdc: number } };
export type PayingCustomersPage = { customers: PayingCustomer[]; hasNext: boolean };

/** `address`: of its first wallet, or that which was asked for; empty for an account without a wallet. */
export type Customer = { account: string; address: string; createdAtMs: number };
export type CustomerPage = Customer & {
  /** Absent in answers of earlier versions, and where the account has none. */
  email?: string;
  ways?: readonly WayKind[];
  credits: ReadResult<CreditView> | NotRead;
  entries: ReadResult<CreditEntries> | NotRead;
};
export type CustomerAsked = ({ address: string } | { account: string }) & { beforeMs?: number };
/** The account that a text leads to, and the purchase by card where the text names one. Without `customer` it was deleted. */
export type FoundCustomer = {
  account: string;
  customer?: { address?: string; email?: string; ways: readonly WayKind[]; createdAtMs: number };
  purchase?: string;
};

/** A site with published reports. Scores as on its badge; absent where a score does not apply. */
export type PublishedSiteLine = { key: string; scores: Readonly<Record<string, string>>; changedAtMs: number };
export type PublishedSitesPage = { sites: PublishedSiteLine[]; next?: string };
/**
 * Of `sites` with published reports: how many newest reports end within `withinDays`, and the first of them. `isPartial`:
 * there are more sites than were read.
 */
export type PublishedEnds = {
  sites: number;
  withinDays: number;
  ending: number;
  next?: { key: string; endsAtMs: number };
  isPartial: boolean;
};
export type PublishedReportLine = {
  reportId: string;
  atMs: number;
  capability: string;
  rubric: string;
  scores: Readonly<Record<string, string>>;
};

export type SettingLine = { name: string; isSet: boolean; isSecret: boolean; value?: string };
/** What a running Worker says of itself. `formats`: what it stores, by the version of its form. */
export type WorkerAbout = {
  worker: string;
  version: string;
  build?: { id: string; at: string };
  settings: SettingLine[];
  migrations: { tag: string; classes: string[] }[];
  formats?: { what: string; version: string }[];
  /** Secrets in force, by a part of their digest. An earlier version says nothing of them. */
  secrets?: SecretPrint[];
};

/** A client with access that registered itself, or is known by its document. Its name is its own claim: hostile text. */
export type RegisteredClient = {
  id: string;
  name: string;
  redirectHosts: readonly string[];
  registeredAtMs?: number;
  /** Of the grants that were looked at. */
  grants: number;
  isOperatorMade: boolean;
};
/** `isPartial`: there are more clients or grants than were looked at. */
export type RegisteredClients = { clients: RegisteredClient[]; next?: string; isPartial: boolean };

/** What the console orders of clients and operators. What makes a secret is not done by the console. */
export type ConsoleCommand = Extract<
  OperatorCommand,
  {
    do:
      | 'list_service_accounts'
      | 'delete_service_account'
      | 'revoke_key'
      | 'list_clients'
      | 'delete_client'
      | 'list_operators'
      | 'delete_operator';
  }
>;

export type NotAllowed = { ok: false; reason: 'not_signed_in' | 'sign_in_too_old' };
/** `address`: empty for an account without a wallet. */
export type ConsoleCreditOrder = { account: string; address: string; nonce: string; reason: string } & (
  | { kind: 'grant'; amountMicroUsdc: number }
  | { kind: 'refund_call'; callId: string }
  | { kind: 'refund_payment'; payment: string }
);
export type CreditOutcome =
  | { ok: true; adjustment: Adjustment; isRepeat: boolean }
  | { ok: false; reason: AdjustRefusal | RefundRefusal | 'no_such_customer' | NotAllowed['reason'] };
/**
 * Why a payment is not given back. `payment_missing`: a later look at the chain did not find it. `not_account_of_payer`: the
 * account of its address may be another one's.
 */
type RefundRefusal = 'ambiguous_payment' | 'not_settled' | 'payment_missing' | 'is_credits' | 'not_account_of_payer';
export type TakeDownOrder = { host: string; reportId: string; reason: string };
export type TakeDownOutcome = { ok: true } | { ok: false; reason: 'not_listed' | NotAllowed['reason'] };

/** What `Operations` of the api Worker says of the service. An earlier version of it lacks these calls. */
export type ServiceFactsPort = {
  about: () => Promise<WorkerAbout>;
  customers: (asked: CustomersAsked) => Promise<CustomersPage>;
  payingCustomers: (asked: PayingCustomersAsked) => Promise<PayingCustomersPage>;
  /** By an e-mail address, an account, a purchase by card or its receipt. Null for nothing found. */
  findCustomer: (asked: { text: string }) => Promise<FoundCustomer | null>;
  /** Null for an address without an account. */
  customer: (asked: CustomerAsked) => Promise<CustomerPage | null>;
  /** Since when these secrets are in force, as far as that was seen: what is new is remembered from now on. */
  secretAges: (seen: readonly SecretsSeen[]) => Promise<SecretAge[]>;
  /** When the newest published report of each site can no longer be read. */
  publishedEnds: () => Promise<PublishedEnds>;
  publishedSites: (asked: { prefix: string; limit: number; cursor?: string }) => Promise<PublishedSitesPage>;
  publishedReports: (asked: { host: string }) => Promise<PublishedReportLine[]>;
};

/**
 * What `ConsoleAccess` of the api Worker does for an operator: by the hash of the session, which it judges itself. An earlier
 * version of it lacks these calls.
 */
export type ServiceActsPort = {
  operate: (session: string, command: ConsoleCommand) => Promise<Operated | NotOperated>;
  /** Null for a session that is over. */
  registeredClients: (session: string, asked: { after?: string }) => Promise<RegisteredClients | null>;
  adjustCredits: (session: string, order: ConsoleCreditOrder) => Promise<CreditOutcome>;
  takeDown: (session: string, order: TakeDownOrder) => Promise<TakeDownOutcome>;
};
