import type { MethodRow } from '../../src/management/core/table/method-row.ts';
import type { ControlEnv } from './bindings/env.ts';
import type { RateHeaders } from './limits.ts';

export type MethodRoute = Pick<MethodRow, 'id' | 'path'>;

export type ControlAppEnv = {
  Bindings: ControlEnv;
  Variables: { requestId: string; rate: RateHeaders; row?: MethodRoute };
};
