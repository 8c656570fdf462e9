import { generateRandomHex } from '../../../src/lib/digest.ts';
import { computeCallerNetwork } from '../../../src/net/caller-network.ts';
import { isOurVia } from '../../../src/net/guarded-fetch.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import type { A2aPorts } from '../../../src/sales/a2a/ports.ts';
import { shortenPayer } from '../../../src/telemetry/request-span.ts';
import { logLine } from '../../shared/telemetry.ts';
import type { AppContext, AppOptions } from '../context.ts';
import { buildRequestScope, createSalesPorts } from './composition.ts';
import { countUnpaidAnswer } from './console-counters.ts';
import { getAnswerEngines } from './engine.ts';
import { createFreeToolPorts, getCatalogue } from './mcp-host.ts';

/** 128 bits: who has the id of a task may read it. */
const ID_BYTES = 16;

/** What the A2A agent works with, for one request. */
export function createA2aPorts(c: AppContext, options: AppOptions, extensionHeader: string | undefined): A2aPorts {
  const scope = buildRequestScope(c);
  const { env, settings, waitUntil } = scope;
  const caller = getCallerAddress(c.req.raw);
  return {
    sales: createSalesPorts(scope, options),
    caller,
    network: computeCallerNetwork(caller),
    requestId: scope.requestId,
    isOwnAudit: isOurVia(c.req.header('via') ?? null),
    extensionHeader,
    taskShard: (name) => env.AGENT_TASK_SHARD.getByName(name),
    catalogue: () => getCatalogue(settings, getAnswerEngines(env, options)).result,
    free: createFreeToolPorts(env, settings),
    newId: () => generateRandomHex(ID_BYTES),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    countUnpaid: (capability) => countUnpaidAnswer(env, capability, { log: logLine, waitUntil }),
    noteCall: ({ capability, status, payer }) =>
      c.set('sold', { capability, status, ...(payer === undefined ? {} : { payer: shortenPayer(payer) }) }),
    log: logLine,
  };
}
