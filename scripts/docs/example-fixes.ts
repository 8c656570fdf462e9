import type { AnyCheck } from '../../src/audit/core/check.ts';
import { recipes } from '../../src/fixes/core/all-recipes.ts';
import { createFixContext } from '../../src/fixes/core/fix-context.ts';
import { askLine } from '../../src/fixes/files/curl-options.ts';
import type { Effort } from '../../src/fixes/files/fix.ts';
import { auditedSite } from '../../test/support/audit/audited.ts';
import { html } from '../../test/support/audit/site-fetch.ts';
import { newRewriter } from '../../test/support/stack/local-tools.ts';

/** Where the fix of a check goes, how much work it is, and how to see that it works, on an example site. */
export type ExampleFix = { file: string; effort: Effort; command: string; expect: string };

const SITE = 'https://example.com';
const PAGE = html(
  '<!doctype html><html><head><title>Example</title></head><body><h1>Example</h1><p>An example page.</p></body></html>',
);
const fixing = createFixContext(await auditedSite({ '/': PAGE }, { url: `${SITE}/`, origin: SITE }), newRewriter);

/** The fix that the recipe of a check writes for a site of one bare page. @throws Error for a check without a recipe */
export async function buildExampleFix(check: AnyCheck): Promise<ExampleFix> {
  const recipe = recipes[check.id];
  if (recipe === undefined) throw new Error(`${check.id} has no recipe`);
  const outcome = { status: 'fail', value: 0, note: '', evidence: [] } as const;
  const { file, effort, expect, at = '/', ask, userAgent } = await recipe.remedy(fixing, { check, outcome });
  const asked = new URL(at, SITE).href;
  const command = askLine(new URL(SITE), asked, { ...(ask && { ask }), ...(userAgent && { userAgent }) });
  return { file, effort, command, expect };
}
