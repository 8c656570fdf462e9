/** What the text of a field is read as. */
export type TypedValueKind = 'text' | 'number' | 'flag' | 'answer' | 'lines' | 'json';

/** A field as a form holds it. `name` has members and numbers of lists, joined by dots. */
export type FilledField = { name: string; kind: TypedValueKind; text: string };

/** `fields`: the field, or group of fields, that each place of the body comes from, such as `weak_spots.0.topic`. */
export type OrderBody = { body: Record<string, unknown>; fields: ReadonlyMap<string, string> };

type Leaf = { name: string; path: readonly string[]; value: unknown };

/**
 * The body that filled fields make: typed, without the empty ones, and lists without gaps. Pages and their script use the
 * same, so what was judged is what is bought.
 */
export function buildOrderBody(filled: readonly FilledField[]): OrderBody {
  const leaves = filled.flatMap(({ name, kind, text }): Leaf[] => {
    const value = parseFieldValue(kind, text);
    return value === undefined ? [] : [{ name, path: name.split('.'), value }];
  });
  const fields = new Map<string, string>();
  return { body: foldMembers(leaves, 0, '', fields), fields };
}

/** Undefined for a field that is left out. What is no such value stays a text, so that it is refused as one. */
function parseFieldValue(kind: TypedValueKind, given: string): unknown {
  const text = given.trim();
  if (kind === 'answer') return isSet(text);
  if (kind === 'flag') return isSet(text) ? true : undefined;
  if (text === '') return undefined;
  switch (kind) {
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case 'lines':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    case 'json':
      return parseJsonOrText(text);
    default:
      return text;
  }
}

const isSet = (text: string): boolean => text === 'true' || text === 'on';

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // Refused as what it is, with the field's name.
  }
}

const isNumber = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part);

/** As `Map.groupBy`, which browsers that we serve lack. */
function groupByPart(leaves: readonly Leaf[], depth: number): ReadonlyMap<string, readonly Leaf[]> {
  const groups = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const part = leaf.path[depth] ?? '';
    const group = groups.get(part);
    if (group === undefined) groups.set(part, [leaf]);
    else group.push(leaf);
  }
  return groups;
}

function foldMembers(
  leaves: readonly Leaf[],
  depth: number,
  place: string,
  fields: Map<string, string>,
): Record<string, unknown> {
  const members = groupByPart(leaves, depth);
  return Object.fromEntries(
    [...members].map(([member, inside]) => [member, foldValue(inside, depth + 1, `${place}${member}`, fields)]),
  );
}

function foldValue(leaves: readonly Leaf[], depth: number, place: string, fields: Map<string, string>): unknown {
  const [first] = leaves;
  if (first === undefined || first.path.length === depth) {
    if (first !== undefined) fields.set(place, first.name);
    return first?.value;
  }
  if (!isNumber(first.path[depth])) return foldMembers(leaves, depth, `${place}.`, fields);
  return [...groupByPart(leaves, depth).values()].map((inside, index) => {
    fields.set(`${place}.${index}`, inside[0]?.path.slice(0, depth + 1).join('.') ?? '');
    return foldMembers(inside, depth + 1, `${place}.${index}.`, fields);
  });
}
