import { RAIL_IDS, type RailId } from '../../../src/payment/rails/rail-ids.ts';
import { mpp } from './cases/mpp.ts';
import { transfer } from './cases/transfer.ts';
import { x402Evm } from './cases/x402-evm.ts';
import type { RailCase } from './support/rail-case.ts';

/** Rails without a chain to run the tables on, and where their own cases are. */
export const stubbedRails = { 'x402-svm': 'test/payment/rails/x402-svm.test.ts' } as const satisfies Partial<
  Record<RailId, string>
>;

/** The rails of the tables. */
export type TabledRailId = Exclude<RailId, keyof typeof stubbedRails>;
export const TABLED_RAIL_IDS = RAIL_IDS.filter((id): id is TabledRailId => !Object.hasOwn(stubbedRails, id));

/** What the tests know of each rail. */
export const railCases: Readonly<Record<TabledRailId, RailCase>> = { 'x402-evm': x402Evm, mpp, transfer };
