import { HTMLRewriter } from 'htmlrewriter';
import type { CapabilityTools } from '../../../src/capabilities/capability.ts';
import type { NewRewriter } from '../../../src/fixes/files/html-rewriter.ts';
import { CLOCK_MS } from '../audit/audit.ts';
import { type SiteAnswer, type SiteMap, siteFetch } from '../audit/site-fetch.ts';

/** The polyfill of the platform's HTMLRewriter. */
export const newRewriter: NewRewriter = () => new HTMLRewriter();

/** Tools of a capability's work over fixture sites, by their origins: every site is served by its own map. */
export function fixtureTools(map: SiteMap, options: { catchAll?: SiteAnswer } = {}): CapabilityTools {
  return {
    guardedFetch: () => siteFetch(map, options),
    atTarget: (_url, task) => task(),
    clockMs: CLOCK_MS,
    newRewriter,
  };
}
