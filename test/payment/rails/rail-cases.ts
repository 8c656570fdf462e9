import type { RailId } from '../../../src/payment/rails/rail-ids.ts';
import { mpp } from './cases/mpp.ts';
import { transfer } from './cases/transfer.ts';
import { x402Evm } from './cases/x402-evm.ts';
import type { RailCase } from './support/rail-case.ts';

/** What the tests know of each rail. */
export const railCases: Readonly<Record<RailId, RailCase>> = { 'x402-evm': x402Evm, mpp, transfer };
