import type { WorkTools } from '../../capabilities/capability.ts';
import { publicAnd } from '../../net/address-policy.ts';
import { parseTargetUrl } from '../../net/canonical-url.ts';
import { botUserAgent, createGuardedFetch } from '../../net/guarded-fetch.ts';
import { createNodeFetch } from '../core/node-fetch.ts';
import { safeLine } from '../core/safe-text.ts';

/** The service whose page explains our User-Agent, for audits from a user's own machine. */
const BOT_HOME = 'https://sightline.example';
/** Names audits from a user's own machine. */
export const BOT_USER_AGENT = botUserAgent(BOT_HOME);

/** What a user typed as a site, judged: `example.com` means `https://example.com/`. */
export type TypedUrl = { ok: true; url: string } | { ok: false; detail: string };

/** Private addresses pass where they are typed: the person at this machine may audit what runs on it (rule F1). */
export function typedUrl(text: string): TypedUrl {
  const full = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  const target = parseTargetUrl(full, publicAnd(URL.canParse(full) ? [full] : [], { alternatePorts: true }));
  return target.ok
    ? { ok: true, url: target.url.href }
    : { ok: false, detail: `${target.reason}: ${safeLine(target.detail)}` };
}

/**
 * Tools for doing a capability's work on this machine. Each site has a fetcher of its own that reads private addresses
 * only on the origin typed for it: a public site that points at a private one the user also named gets nothing (rule F1).
 */
export async function localTools(onProgress?: WorkTools['onProgress']): Promise<WorkTools> {
  const { HTMLRewriter } = await import('htmlrewriter');
  return {
    guardedFetch: (url) => {
      const policy = publicAnd([url], { alternatePorts: true });
      const fetch = createNodeFetch(policy);
      return createGuardedFetch({ fetch, policy, clock: Date.now, userAgent: BOT_USER_AGENT });
    },
    atTarget: (_url, task) => task(),
    clockMs: Date.now(),
    newRewriter: () => new HTMLRewriter(),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
}
