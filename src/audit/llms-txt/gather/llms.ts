import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import { computeSha256Hex } from '../../../lib/digest.ts';
import {
  AGENT_ROLES,
  MAX_LINK_BYTES,
  MAX_LINKS_PER_FOREIGN_SITE,
  MAX_LLMS_LINKS,
} from '../../agent-files/facts/agent-places.ts';
import { listLinkUrls, readLlmsFile } from '../facts/llms-files.ts';
import type { Gather, Gatherer } from '../../core/artifact.ts';
import { readAgentFile } from '../../agent-files/gather/agent-files.ts';
import { readControl } from '../../page/gather/page.ts';

/**
 * Reads llms.txt, llms-full.txt and up to eight links of the first: the first by SHA-256 of their URLs, so that the
 * same file gives the same sample and no site can choose it. A foreign site is asked twice at most.
 */
export const gatherLlms: Gatherer = async (gather) => {
  const [llms] = await Promise.all([
    readAgentFile(gather, 'llms'),
    readAgentFile(gather, 'llms-full'),
    readControl(gather),
  ]);
  const state = readLlmsFile(llms, gather.find('control'));
  if (state.state !== 'found') return;
  const urls = await sampleUrls(listLinkUrls(state), gather);
  await Promise.all(
    urls.map((url, index) =>
      gather.read(`${AGENT_ROLES.llmsLink}:${index}`, {
        url,
        headers: { accept: 'text/markdown, text/html;q=0.9, */*;q=0.5' },
        maxBytes: MAX_LINK_BYTES,
      }),
    ),
  );
};

async function sampleUrls(urls: readonly string[], gather: Gather): Promise<readonly string[]> {
  const hashed = await Promise.all(urls.map(async (url) => ({ url, hash: await computeSha256Hex(url) })));
  const perOwner = new Map<string, number>();
  const own = getRegistrableDomain(gather.start.hostname);
  const chosen: string[] = [];
  for (const { url } of hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))) {
    const owner = getRegistrableDomain(new URL(url).hostname);
    const asked = perOwner.get(owner) ?? 0;
    if (owner !== own && asked >= MAX_LINKS_PER_FOREIGN_SITE) continue;
    perOwner.set(owner, asked + 1);
    chosen.push(url);
    if (chosen.length === MAX_LLMS_LINKS) break;
  }
  return chosen;
}
