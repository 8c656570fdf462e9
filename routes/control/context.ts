import type { MethodRow } from '../../src/management/core/table/method-row.ts';
import type { ControlEnv } from './bindings/env.ts';
import type { RateTold } from './limits.ts';

export type MethodRoute = Pick<MethodRow, 'id' | 'path'>;

export type ControlAppEnv = {
  Bindings: ControlEnv;
  Variables: { requestId: string; rate: RateTold; row?: MethodRoute };
};
