import { exampleBodies } from '../../src/capabilities/bodies.ts';
import type { CapabilityName } from '../../src/capabilities/capability-name.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { type BoughtResult, parseBought } from '../../src/results/bought.ts';
import { goodSite } from '../sites/good.ts';
import { bareSite } from '../sites/poor.ts';
import { SITE, type SiteMap } from '../support/audit/site-fetch.ts';
import { versusExample, visibilityExample, visibilityFixExample } from '../support/pages/view-results.ts';
import { fixtureTools } from '../support/stack/local-tools.ts';

/** Results of every capability as they are stored, made from a bare site, a good one and answers of an engine. */

export const REPORT_ID = '0123456789abcdef'.repeat(2);
export const PLACE = { baseUrl: 'https://api.sightline.test', reportId: REPORT_ID };
const OTHER = 'https://rival.example';

const sites: SiteMap = {
  ...bareSite,
  ...Object.fromEntries(Object.entries(goodSite).map(([path, served]) => [`${OTHER}${path}`, served])),
};

const measured: Partial<Record<CapabilityName, () => Promise<object>>> = {
  visibility_check: visibilityExample,
  visibility_vs_competitor: versusExample,
  visibility_fix_pack: visibilityFixExample,
};

async function runRow(name: CapabilityName): Promise<object> {
  const row = catalog.find((one) => one.name === name);
  const body = { ...exampleBodies[name], url: `${SITE}/`, ...(name === 'compare' ? { competitor: `${OTHER}/` } : {}) };
  const outcome = await row?.run(row.body.parse(body), fixtureTools(sites));
  if (outcome?.ok !== true) throw new Error(`no result of ${name}`);
  return { url: `${SITE}/`, ...outcome.result, warnings: outcome.warnings };
}

const made = new Map<CapabilityName, Promise<string>>();

/** The stored text of a result. */
export function storedResult(name: CapabilityName): Promise<string> {
  const known = made.get(name);
  if (known) return known;
  const text = (async () => {
    const result = await (measured[name]?.() ?? runRow(name));
    return JSON.stringify({ capability: name, report_id: REPORT_ID, warnings: [], ...result });
  })();
  made.set(name, text);
  return text;
}

export async function boughtResult(name: CapabilityName): Promise<BoughtResult> {
  const bought = parseBought(await storedResult(name));
  if (bought === undefined) throw new Error(`${name} is not read`);
  return bought;
}
