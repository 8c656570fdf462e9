import { afterEach } from 'vitest';
import { forgetOpenedShards } from './counted-payment-ledger.ts';

afterEach(forgetOpenedShards);
