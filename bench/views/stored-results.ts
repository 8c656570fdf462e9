import { exampleBodies } from '../../src/capabilities/bodies.ts';
import type { AnyCapability, CapabilityTools } from '../../src/capabilities/capability.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { createLocalTools } from '../../src/cli/audit/local-run.ts';
import { createSimulatedEngine, demoBrands } from '../../src/models/adapters/simulated/answer.ts';
import { measureHere } from '../../src/visibility/run/measure.ts';
import type { Sites } from '../../local/sites/sites.ts';

const RUN_MS = 60_000;
const REPORT_ID = '0123456789abcdef'.repeat(2);

/** The stored result of every capability: of the poor demo site, compared with the good one, and of the simulated engine. */
export async function storeResults(sites: Sites): Promise<ReadonlyMap<string, string>> {
  const stored = new Map<string, string>();
  for (const row of catalog) stored.set(row.name, await storeResult(row, sites));
  return stored;
}

async function storeResult(row: AnyCapability, sites: Sites): Promise<string> {
  const example = exampleBodies[row.name];
  const body = {
    ...example,
    ...('url' in example ? { url: sites.poor } : {}),
    ...('competitor' in example ? { competitor: sites.good } : {}),
  };
  const outcome = await row.run(row.body.parse(body), await createTools(row));
  if (!outcome.ok) throw new Error(`${row.name}: ${outcome.detail}`);
  const url = 'url' in example ? { url: sites.poor } : {};
  const { result, warnings } = outcome;
  return JSON.stringify({ capability: row.name, ...url, report_id: REPORT_ID, ...result, warnings });
}

async function createTools(row: AnyCapability): Promise<CapabilityTools> {
  const tools = await createLocalTools();
  if (!row.engineBacked) return tools;
  const engine = createSimulatedEngine({ seed: 'views', brands: demoBrands });
  const measure: CapabilityTools['measure'] = async (asked) => [
    await measureHere(asked, {
      engine,
      runId: REPORT_ID,
      runMs: RUN_MS,
      callMs: RUN_MS,
      now: Date.now,
      random: Math.random,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      log: () => undefined,
      onProgress: () => undefined,
    }),
  ];
  return { ...tools, measure };
}
