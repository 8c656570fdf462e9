import { getJsonLd } from '../structured-data/facts/json-ld.ts';
import type { PageFacts } from '../page/facts/page-facts.ts';
import { listNodesOfType } from '../structured-data/facts/schema-nodes.ts';
import { readPageFacts } from '../reach/facts/site-files.ts';
import { type SiteProfile, type ProfileName, profiles } from './site.ts';
import { type Snapshot, getExchangeLookup } from './snapshot.ts';

/** One piece of evidence: how much it speaks for a profile, and how it reads in the result. */
type Clue = { for: ProfileName; points: number; text: string };

/** Points from which a profile is taken; below it the site counts as `content`. */
const ENOUGH_POINTS = 3;

/**
 * Detects what kind of site it is: from the start page (structured data, address, links, forms) and from what else the
 * audit found (an OpenAPI document, an MCP endpoint). The most specific profile with enough evidence wins.
 * @param given the caller's choice, which is not questioned.
 */
export function detectProfile(snapshot: Snapshot, given?: ProfileName): SiteProfile {
  if (given !== undefined) return { name: given, rests_on: ['named by the caller'], given: true };
  const page = readPageFacts(snapshot);
  const clues = [...(page.state === 'ready' ? listPageClues(page.value) : []), ...listFileClues(snapshot)];
  const points = (name: ProfileName): number =>
    clues.filter((clue) => clue.for === name).reduce((sum, clue) => sum + clue.points, 0);
  const best = profiles.toReversed().reduce<ProfileName | undefined>((winner, name) => {
    if (points(name) < ENOUGH_POINTS) return winner;
    return winner === undefined || points(name) > points(winner) ? name : winner;
  }, undefined);
  if (best === undefined) return { name: 'content', rests_on: ['no sign of another kind'], given: false };
  return { name: best, rests_on: clues.filter((clue) => clue.for === best).map(({ text }) => text), given: false };
}

/** Types of structured data that name a kind of site. */
const TYPE_CLUES: readonly { type: string; for: ProfileName; points: number }[] = [
  { type: 'WebAPI', for: 'api', points: 3 },
  { type: 'SoftwareApplication', for: 'product', points: 3 },
  { type: 'Offer', for: 'commerce', points: 1 },
  { type: 'Product', for: 'commerce', points: 2 },
  { type: 'OnlineStore', for: 'commerce', points: 3 },
  { type: 'TechArticle', for: 'docs', points: 3 },
  { type: 'APIReference', for: 'docs', points: 3 },
  { type: 'Article', for: 'content', points: 3 },
  { type: 'Blog', for: 'content', points: 3 },
];

/** Addresses of links that name a kind of site. */
const LINK_CLUES: readonly { path: RegExp; for: ProfileName; points: number; text: string }[] = [
  {
    path: /\/(?:cart|basket|checkout|warenkorb|panier)(?:\/|$)/i,
    for: 'commerce',
    points: 3,
    text: 'a link to a shopping cart',
  },
  { path: /\/(?:products?|collections|shop|store)(?:\/|$)/i, for: 'commerce', points: 1, text: 'links to products' },
  { path: /\/pricing(?:\/|$)/i, for: 'product', points: 2, text: 'a link to pricing' },
  {
    path: /\/(?:sign-?up|register|get-started|demo|trial)(?:\/|$)/i,
    for: 'product',
    points: 1,
    text: 'a link to sign up',
  },
  {
    path: /\/(?:api|api-reference|api-docs|developers?|openapi\.(?:json|ya?ml)|swagger)(?:[/.]|$)/i,
    for: 'api',
    points: 2,
    text: 'a link to an API reference',
  },
  { path: /\/(?:blog|news|articles?)(?:\/|$)/i, for: 'content', points: 1, text: 'links to articles' },
  { path: /\/mcp(?:\/|$)/i, for: 'mcp', points: 2, text: 'a link to an MCP endpoint' },
];

function listPageClues(page: PageFacts): readonly Clue[] {
  const { hostname, pathname } = new URL(page.url);
  const clues: Clue[] = [];
  if (/^(?:docs?|developers?|learn|help)\./i.test(hostname))
    clues.push({ for: 'docs', points: 4, text: 'a host name for documentation' });
  if (/^\/(?:docs?|documentation|guides?|manual)(?:\/|$)/i.test(pathname))
    clues.push({ for: 'docs', points: 4, text: 'a path for documentation' });
  if (/^(?:api)\./i.test(hostname)) clues.push({ for: 'api', points: 3, text: 'a host name for an API' });
  if (/^mcp\./i.test(hostname)) clues.push({ for: 'mcp', points: 3, text: 'a host name for MCP' });
  if (page.codeBlocks.length >= 3)
    clues.push({ for: 'docs', points: 2, text: `${page.codeBlocks.length} blocks of code` });
  return [...clues, ...listTypeClues(page), ...listLinkClues(page)];
}

function listTypeClues(page: PageFacts): readonly Clue[] {
  const { graph } = getJsonLd(page);
  return TYPE_CLUES.filter(({ type }) => listNodesOfType(graph, type).length > 0).map(({ type, ...clue }) => ({
    ...clue,
    text: `structured data of type ${type}`,
  }));
}

function listLinkClues(page: PageFacts): readonly Clue[] {
  const { host } = new URL(page.url);
  const paths = page.anchors.flatMap(({ href }) => {
    if (!/^https?:/.test(href)) return [];
    const url = new URL(href);
    return url.host === host ? [url.pathname] : [];
  });
  return LINK_CLUES.filter(({ path }) => paths.some((each) => path.test(each))).map(({ for: name, points, text }) => ({
    for: name,
    points,
    text,
  }));
}

/** Answers that by themselves make a site an API or an MCP provider. */
const FILE_CLUES: readonly { role: RegExp; sign: RegExp; for: ProfileName; text: string }[] = [
  {
    role: /openapi|swagger/,
    sign: /^\s*(?:\{[^]{0,400}"(?:openapi|swagger)"\s{0,9}:|(?:openapi|swagger)\s{0,9}:)/,
    for: 'api',
    text: 'an OpenAPI document',
  },
  { role: /^mcp/, sign: /"jsonrpc"\s{0,9}:\s{0,9}"2\.0"/, for: 'mcp', text: 'an endpoint that answers in MCP' },
];

function listFileClues(snapshot: Snapshot): readonly Clue[] {
  const control = getExchangeLookup(snapshot)('control')?.answer;
  const catchAll = control?.ok === true ? control.sha256 : '';
  return FILE_CLUES.flatMap(({ role, sign, text, for: name }) => {
    const hit = snapshot.exchanges.some(
      (exchange) =>
        role.test(exchange.role) &&
        exchange.answer.ok &&
        exchange.answer.sha256 !== catchAll &&
        sign.test(exchange.answer.body.slice(0, 2000)),
    );
    return hit ? [{ for: name, points: 4, text }] : [];
  });
}
