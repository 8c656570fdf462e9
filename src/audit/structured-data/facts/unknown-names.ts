import type { JsonLd } from './json-ld.ts';
import { isSchemaProperty, isSchemaType, findNearestSchemaName } from './schema-org.ts';

/** Unknown names that get a suggestion; each costs a pass over the vocabulary. */
const MAX_SUGGESTED = 20;
const MAX_NAME_CHARS = 100;

export type UnknownName = { name: string; nearest?: string; line: number };

/** How many distinct types and properties the JSON-LD of a page uses, and which of them schema.org does not have. */
export type UnknownNames = {
  types: number;
  properties: number;
  unknownTypes: readonly UnknownName[];
  unknownProperties: readonly UnknownName[];
};

/** A name with a colon or slash is another vocabulary's, which is legal beside schema.org. */
const isForeign = (name: string): boolean => /[:/#]/.test(name);

/** Looks up every distinct short name in the bundled vocabulary; names that a context of the page defines are its own. */
export function findUnknownNames({ graph, terms }: JsonLd): UnknownNames {
  const types = new Map<string, number>();
  const properties = new Map<string, number>();
  for (const node of graph.nodes) {
    if (node.origin !== 'json_ld') continue;
    for (const type of node.types) if (!types.has(type)) types.set(type, node.line);
    for (const property of node.props.keys()) if (!properties.has(property)) properties.set(property, node.line);
  }
  const own = ([name]: readonly [string, number]): boolean => !isForeign(name) && !terms.has(name);
  const [typeRows, propertyRows] = [[...types].filter(own), [...properties].filter(own)];
  return {
    types: typeRows.length,
    properties: propertyRows.length,
    unknownTypes: typeRows.filter(([name]) => !isSchemaType(name)).map(suggest('type')),
    unknownProperties: propertyRows.filter(([name]) => !isSchemaProperty(name)).map(suggest('property')),
  };
}

function suggest(kind: 'type' | 'property'): (row: readonly [string, number], index: number) => UnknownName {
  return ([name, line], index) => {
    const nearest = index < MAX_SUGGESTED ? findNearestSchemaName(name, kind) : undefined;
    return { name: name.slice(0, MAX_NAME_CHARS), line, ...(nearest === undefined ? {} : { nearest }) };
  };
}
