import { catalog } from '../../../src/capabilities/catalog.ts';
import { type CapabilityName, capabilityNames } from '../../../src/capabilities/capability-name.ts';
import { bareSite } from '../../sites/poor.ts';
import { fixtureTools } from '../stack/local-tools.ts';
import { storedText } from '../pages/report-view.ts';
import { openApi } from '../audit/agent-site.ts';
import { json, SITE } from '../audit/site-fetch.ts';
import { compareExample, versusExample, visibilityExample, visibilityFixExample } from '../pages/view-results.ts';

/** The stored result of every capability, as the service would write it. */
export async function storedExamples(): Promise<ReadonlyMap<CapabilityName, string>> {
  const found = new Map<CapabilityName, string>();
  for (const name of capabilityNames) found.set(name, await exampleOf(name));
  return found;
}

async function exampleOf(name: CapabilityName): Promise<string> {
  switch (name) {
    case 'compare':
      return storedText(name, await compareExample(), `${SITE}/`);
    case 'visibility_check':
      return storedText(name, await visibilityExample());
    case 'visibility_vs_competitor':
      return storedText(name, await versusExample());
    case 'visibility_fix_pack':
      return storedText(name, await visibilityFixExample());
    default:
      return storedText(name, await siteResult(name), `${SITE}/`);
  }
}

async function siteResult(name: CapabilityName): Promise<object> {
  const row = catalog.find((one) => one.name === name);
  const outcome = await row?.run(
    row.body.parse({ url: `${SITE}/` }),
    fixtureTools({ ...bareSite, '/openapi.json': json(openApi()) }),
  );
  if (!outcome?.ok) throw new Error(`no result of ${name}: ${JSON.stringify(outcome)}`);
  return outcome.result;
}
