import type { PageFacts } from '../../page/facts/page-facts.ts';
import { listPropertyNodes, listPropertyTexts, type SchemaGraph, type SchemaNode } from './schema-nodes.ts';

/** What a page says of its being free: by markup, and by words that readers see. */
export type Paywall = {
  /** The node that says whether the page is free to read. */
  stated: { node: SchemaNode; free: boolean } | undefined;
  /** Class names and ids of the parts that are not free, by their selectors. */
  selectors: readonly string[];
  /** Words of a wall in the visible text; '' when there are none. */
  wall: string;
};

const MAX_TEXT = 200_000;
const MAX_PARTS = 20;

/** Sentences that stand where a text stops for those who do not pay. That the site has subscribers is no wall. */
const WALLS: readonly RegExp[] = [
  /(?:subscribe|sign up|register|log in) to (?:continue|keep|finish) reading|to (?:continue|keep) reading,? (?:please )?(?:subscribe|sign in|log in|register)/iu,
  /this (?:article|content|story|post) is (?:only )?(?:for|available to) (?:paying )?(?:subscribers|members)|for (?:paying )?subscribers only|continue reading with a (?:subscription|free trial)|you have (?:reached|read) your (?:limit|last) (?:of )?free article/iu,
  /(?:nur|exklusiv) für (?:abonnenten|abonnentinnen)|weiterlesen mit [\p{L}\d+ -]{1,30}|jetzt abonnieren und weiterlesen|(?:cet )?article (?:est )?réservé aux abonnés|la suite est réservée|contenido exclusivo para suscriptores|solo para suscriptores|contenuto riservato agli abbonati|alleen voor abonnees|conteúdo exclusivo para assinantes/iu,
];

export function readPaywall(page: PageFacts, graph: SchemaGraph): Paywall {
  const nodes = graph.nodes.filter(({ props }) => props.has('isAccessibleForFree') && !props.has('cssSelector'));
  const stated = nodes.map((node) => ({ node, free: isFree(graph, node) })).find(({ node }) => node.types.length > 0);
  const parts = graph.nodes.filter(({ props }) => props.has('cssSelector')).slice(0, MAX_PARTS);
  const closed = parts.filter((part) => part.props.has('isAccessibleForFree') && !isFree(graph, part));
  const joined = stated ? listPropertyNodes(graph, stated.node, 'hasPart').filter((part) => closed.includes(part)) : [];
  return {
    stated,
    selectors: joined.flatMap((part) => listPropertyTexts(graph, part, 'cssSelector')),
    wall: findFirstMatch(WALLS, page.text.slice(0, MAX_TEXT)),
  };
}

const findFirstMatch = (patterns: readonly RegExp[], text: string): string =>
  patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])[0] ?? '';

/** `false`, `"False"` and `https://schema.org/False` close a page; anything else leaves it open. */
const isFree = (graph: SchemaGraph, node: SchemaNode): boolean =>
  !listPropertyTexts(graph, node, 'isAccessibleForFree').some((text) =>
    /^(?:https?:\/\/schema\.org\/)?false$/i.test(text),
  );

/** The names that a simple selector looks for: of `.paywall` and `#rest` the words behind the signs. */
export const listSelectorNames = (selector: string): readonly string[] =>
  [...selector.slice(0, 500).matchAll(/[.#]([\w-]{1,80})/g)].map(([, name = '']) => name);
