export { createMemorySpending, type SpendingBudget, type SpendingStore } from './budget.ts';
export {
  type BuyOptions,
  type ReadOptions,
  type Report,
  sightline,
  type SightlineClient,
  type SightlineOptions,
} from './client.ts';
export { type ClientCode, type PaymentState, SightlineError } from './errors.ts';
export { createMemoryOrders, createStorageOrders, type OpenOrders, type TextStorage } from './orders.ts';
export type { ReportReader, SectionFilter } from './report.ts';
export type * from './results.ts';
export { CLIENT_VERSION, type FetchPort } from './transport.ts';
export type { Progress } from './read-answer.ts';
export type { PaymentChain, TypedData, Wallet } from './wallet.ts';
