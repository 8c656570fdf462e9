import { hasValue, listNodesOfType, type SchemaGraph, type SchemaNode, listPropertyTexts } from './schema-nodes.ts';

/** How completely a node describes an organisation: 1 for name, URL, logo, identities and a way to reach it. */
export type OrganizationFacts = { node: SchemaNode; name: string; value: number; missing: readonly string[] };

const PARTS: readonly { part: string; worth: number; properties: readonly string[] }[] = [
  { part: 'logo', worth: 0.15, properties: ['logo'] },
  { part: 'sameAs', worth: 0.2, properties: ['sameAs'] },
  { part: 'address or contactPoint', worth: 0.15, properties: ['address', 'contactPoint', 'telephone', 'email'] },
];
const NAME_AND_URL = 0.5;

/** The best described organisation of a page (any subtype); undefined when there is no node of the type. */
export function findBestOrganization(graph: SchemaGraph): OrganizationFacts | undefined {
  const described = listNodesOfType(graph, 'Organization').map((node) => describe(graph, node));
  return described.reduce<OrganizationFacts | undefined>(
    (best, each) => (best === undefined || each.value > best.value ? each : best),
    undefined,
  );
}

function describe(graph: SchemaGraph, node: SchemaNode): OrganizationFacts {
  const name = listPropertyTexts(graph, node, 'name')[0] ?? '';
  const located = node.id !== '' || hasValue(graph, node, 'url');
  const missing = [...(name === '' ? ['name'] : []), ...(located ? [] : ['url'])];
  // Without both, nothing ties the node to an entity, and what else it says does not count.
  if (missing.length > 0) return { node, name, value: 0, missing };
  const absent = PARTS.filter(({ properties }) => !properties.some((property) => hasValue(graph, node, property)));
  const lost = absent.reduce((sum, { worth }) => sum + worth, 0);
  const whole = NAME_AND_URL + PARTS.reduce((sum, { worth }) => sum + worth, 0);
  return { node, name, value: Math.round((whole - lost) * 100) / 100, missing: absent.map(({ part }) => part) };
}
