/** Adds what Node 20 lacks of what this program calls; newer ones have it. Called before anything else is loaded. */
export function completeOlderNode(): void {
  const map: { groupBy?: typeof Map.groupBy } = Map;
  map.groupBy ??= groupItems;
  const url: { parse?: typeof URL.parse } = URL;
  url.parse ??= parseOrNull;
}

function groupItems<Key, Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
    index += 1;
  }
  return groups;
}

const parseOrNull = (text: string | URL, base?: string | URL): URL | null =>
  URL.canParse(String(text), base === undefined ? undefined : String(base)) ? new URL(text, base) : null;
