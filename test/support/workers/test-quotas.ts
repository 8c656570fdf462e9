import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ServiceLimits } from '../../../src/rate-limits/service-limits.ts';

/** Stands in for the control Worker's `Quotas`: an operator without preferences. Tests of limits give the app one of their own. */
export class TestQuotas extends WorkerEntrypoint {
  async read(): Promise<ServiceLimits> {
    return {};
  }
}
