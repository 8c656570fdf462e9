import { computeSha256Hex } from '../../../lib/digest.ts';
import { classifyHost } from '../../../net/address.ts';
import type { Gather, Gatherer, Plan, Wanted } from '../../core/artifact.ts';
import { RUBRIC_VERSION } from '../../core/rubric-version.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { MAX_SCRIPT_BYTES, MAX_SCRIPT_FILES, listOwnScriptFiles, SCRIPT_ROLE } from '../facts/script-files.ts';
import { SEARCH_ROLE, findSearchTarget } from '../facts/site-search.ts';
import { buildPageTarget, PAGE_ACCEPT } from './page-target.ts';

/** A page, as every reader of pages asks for it. */
export const preparePage = (role: string, url: string): Wanted => ({ role, target: buildPageTarget(url) });

/** The start page as our own User-Agent gets it. */
export const fetchStartPage = (gather: Gather): Promise<Exchange> =>
  gather.read('page', buildPageTarget(gather.start.href));

/** Bytes of the control answer that are compared. */
const CONTROL_BYTES = 1024 * 1024;

/**
 * The answer for a path that cannot exist, the same at every audit of the host: it separates a file from a catch-all.
 */
export async function prepareControl({ start }: Gather): Promise<Wanted> {
  const path = (await computeSha256Hex(start.host + RUBRIC_VERSION)).slice(0, 32);
  const url = new URL(`/${path}`, start).href;
  return { role: 'control', target: { url, headers: { accept: '*/*' }, maxBytes: CONTROL_BYTES } };
}

/** Reads that path. */
export async function readControl(gather: Gather): Promise<Exchange> {
  const { role, target } = await prepareControl(gather);
  return gather.read(role, target);
}

/** Reads the start page, and where the audit begins at another page, the root of the site: it says what the site is. */
export const gatherPage: Gatherer = async (gather) => {
  const home = new URL('/', gather.start).href;
  await Promise.all([
    fetchStartPage(gather),
    ...(gather.start.pathname === '/' ? [] : [gather.read('home', { url: home, headers: { accept: PAGE_ACCEPT } })]),
  ]);
};

/** Reads the control path. */
export const gatherControl: Gatherer = async (gather) => {
  await readControl(gather);
};

/** Reads the site's root over https and over http; on private hosts and named ports there is nothing to compare. */
export const gatherSchemes: Gatherer = async (gather) => {
  const { hostname, port, href } = gather.start;
  if (classifyHost(hostname).kind !== 'public' || port !== '') return;
  const maxBytes = 64 * 1024;
  await Promise.all(
    (['https', 'http'] as const).map((scheme) => {
      const url = `${scheme}://${hostname}/`;
      // Where the audit starts at the root, one request serves both roles.
      const target = url === href ? { url, headers: { accept: PAGE_ACCEPT } } : { url, maxBytes };
      return gather.read(`scheme:${scheme}`, target);
    }),
  );
};

/** Reads the canonical URL when it is not the page itself. */
export const gatherCanonical: Gatherer = async (gather) => {
  const { answer } = await fetchStartPage(gather);
  if (!answer.ok) return;
  const target = getPageFacts(answer).canonicals[0]?.href ?? '';
  const plain = target.split('#')[0] ?? '';
  if (!/^https?:/.test(plain) || plain === answer.url.split('#')[0] || plain === gather.start.href) return;
  await gather.read('canonical', { url: plain, headers: { accept: PAGE_ACCEPT }, maxBytes: 64 * 1024 });
};

/** Reads the page of questions and answers that the start page links to, if it names one. */
export const gatherFaq: Gatherer = async (gather) => {
  const { answer } = await fetchStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer)) return;
  const target = getPageFacts(answer).anchors.find(
    ({ href }) => URL.canParse(href) && isFaqUrl(new URL(href), gather.start),
  )?.href;
  if (target !== undefined)
    await gather.read('faq', { url: target.split('#')[0] ?? target, headers: { accept: PAGE_ACCEPT } });
};

const isFaqUrl = (url: URL, start: URL): boolean =>
  url.host === start.host &&
  url.pathname !== start.pathname &&
  /\/(?:faqs?|frequently-asked-questions)(?:\.html?)?\/?$/i.test(url.pathname);

/** One search of the site, for a fixed word, when its start page says at which address of its own. */
export const planSiteSearch: Plan = async (gather) => {
  const { answer } = await fetchStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer)) return [];
  const target = findSearchTarget(getPageFacts(answer), gather.start);
  return target.state === 'url' ? [preparePage(SEARCH_ROLE, target.url)] : [];
};

/** The first script files of the page's own origin, while there is room for requests. */
export const planScriptFiles: Plan = async (gather) => {
  const { answer } = await fetchStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer)) return [];
  const urls = listOwnScriptFiles(getPageFacts(answer)).slice(0, MAX_SCRIPT_FILES);
  return urls.map((url, index) => ({
    role: `${SCRIPT_ROLE}:${index}`,
    target: { url, headers: { accept: '*/*' }, maxBytes: MAX_SCRIPT_BYTES },
    ifRoom: true,
  }));
};
