import { RAIL_IDS, type RailId } from '../../../src/payment/rails/rail-ids.ts';
import { mpp, mppOnPolygon } from './cases/mpp.ts';
import { transfer } from './cases/transfer.ts';
import { x402Evm, x402OnPolygon } from './cases/x402-evm.ts';
import { x402Svm } from './cases/x402-svm.ts';
import type { RailCase } from './support/rail-case.ts';

/** What the tests know of each rail. */
export const railCases: Readonly<Record<RailId, RailCase>> = {
  'x402-evm': x402Evm,
  'x402-svm': x402Svm,
  mpp,
  transfer,
};

/** The rows of the tables: each rail, and those of signed payloads on a further network, too. */
export const tabledRails = {
  ...railCases,
  'x402-evm on Polygon': x402OnPolygon,
  'mpp on Polygon': mppOnPolygon,
} as const satisfies Readonly<Record<string, RailCase>>;

export type TabledRail = keyof typeof tabledRails;
export const TABLED_RAILS = Object.keys(tabledRails) as readonly TabledRail[];

/** Rails that no local stack has a chain for, and why; a buyer of theirs is a recorded message and a stub. */
export const stubbedRails = {
  'x402-svm': 'no validator of Solana runs on one machine of ours: its node and its facilitator are stubs',
} as const satisfies Partial<Record<RailId, string>>;

/** The rails that a local stack has a chain for. */
export type StackRailId = Exclude<RailId, keyof typeof stubbedRails>;
export const STACK_RAIL_IDS = RAIL_IDS.filter((id): id is StackRailId => !Object.hasOwn(stubbedRails, id));
