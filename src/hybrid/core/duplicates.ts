import { isMap, isScalar, visit, type YAMLMap } from 'yaml';

/**
 * Offsets of keys that occur a second time in their mapping. The parser's own search compares each key with all earlier
 * ones, which takes minutes on a large mapping.
 */
export function findDuplicateKeys(root: YAMLMap): readonly number[] {
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
