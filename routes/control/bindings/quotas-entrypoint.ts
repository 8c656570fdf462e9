import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ServiceLimits } from '../../../src/rate-limits/service-limits.ts';
import type { ControlEnv } from './env.ts';
import { readServiceLimits } from './service-limits.ts';

/** What the operator's quota preferences set, for the other Workers: `env.QUOTAS.read()`. */
export class Quotas extends WorkerEntrypoint<ControlEnv> {
  read(): Promise<ServiceLimits> {
    return readServiceLimits(this.env);
  }
}
