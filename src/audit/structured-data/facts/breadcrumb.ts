import {
  hasValue,
  listPropertyNodes,
  listNodesOfType,
  type SchemaGraph,
  type SchemaNode,
  listPropertyTexts,
} from './schema-nodes.ts';

/** One BreadcrumbList: how many steps it has and what they lack. */
export type Breadcrumb = { line: number; steps: readonly string[]; faults: readonly string[] };

const MAX_LISTS = 10;
const MAX_STEPS = 50;

/** The breadcrumb trails of a page, the one with the fewest faults first. */
export function listBreadcrumbs(graph: SchemaGraph): readonly Breadcrumb[] {
  return listNodesOfType(graph, 'BreadcrumbList')
    .slice(0, MAX_LISTS)
    .map((list) => buildBreadcrumb(graph, list))
    .toSorted((a, b) => a.faults.length - b.faults.length);
}

function buildBreadcrumb(graph: SchemaGraph, list: SchemaNode): Breadcrumb {
  const steps = listPropertyNodes(graph, list, 'itemListElement').slice(0, MAX_STEPS);
  const positions = steps
    .map((step) => Number(listPropertyTexts(graph, step, 'position')[0] ?? Number.NaN))
    .toSorted((a, b) => a - b);
  const names = steps.map((step) => getStepName(graph, step));
  // The last step is the page itself and may go without an address.
  const withoutItem = steps
    .slice(0, -1)
    .filter((step) => !hasValue(graph, step, 'item') && !hasValue(graph, step, 'url'));
  const faults = [
    ...(steps.length < 2 ? ['fewer than two steps'] : []),
    ...(positions.every((position, index) => position === index + 1) ? [] : ['positions are not 1 to n']),
    ...(names.includes('') ? ['a step without a name'] : []),
    ...(withoutItem.length > 0 ? ['a step without item'] : []),
  ];
  return { line: list.line, steps: names, faults };
}

function getStepName(graph: SchemaGraph, step: SchemaNode): string {
  const own = listPropertyTexts(graph, step, 'name')[0];
  return (
    own ?? listPropertyNodes(graph, step, 'item').flatMap((item) => listPropertyTexts(graph, item, 'name'))[0] ?? ''
  );
}

/** Segments of a path, a leading language (`/en/`, `/pt-br/`) and an index file not counted. */
export function computePathDepth(url: string): number {
  const segments = new URL(url).pathname.split('/').filter((segment) => segment !== '');
  const inside = /^[a-z]{2}(?:-[a-z]{2})?$/i.test(segments[0] ?? '') ? segments.slice(1) : segments;
  return inside.filter((segment) => !/^index\.\w{1,5}$/i.test(segment)).length;
}
