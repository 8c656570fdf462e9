import { isMap, isScalar, visit, type YAMLMap } from 'yaml';

/**
 * Where keys stand a second time in their mapping. The parser's own search compares each key with all before it, which
 * takes minutes on a mapping of many.
 */
export function duplicateKeys(root: YAMLMap): readonly number[] {
  const places: number[] = [];
  visit(root, (_key, node) => {
    if (!isMap(node)) return;
    const seen = new Set<unknown>();
    for (const { key } of node.items) {
      if (!isScalar(key) || !key.range) continue;
      if (seen.has(key.value)) places.push(key.range[0]);
      seen.add(key.value);
    }
  });
  return places.toSorted((one, other) => one - other);
}
