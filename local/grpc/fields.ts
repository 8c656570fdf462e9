import { type DescField, type DescMessage, type FileRegistry, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** Messages within each other: more are not read. */
const MAX_DEPTH = 100;

/** What is left to count, and where. */
type Budget = { left: number; depth: number; registry: FileRegistry };
/** Counts what is in a field. */
type Counter = (bytes: Uint8Array, budget: Budget) => void;
/** The fields of a message that hold more than one: messages, pairs of maps, lists of numbers. */
type Shape = ReadonlyMap<number, Counter>;

/**
 * Fields of a message and of those within it, also within an Any: two bytes can be an empty message, which takes far more
 * memory once it is built. Nothing is built here, and nothing more is read once there are more than `most`.
 * @throws Error for bytes that are no message, and for messages too deep within each other
 */
export function countFields(bytes: Uint8Array, type: DescMessage, registry: FileRegistry, most: number): number {
  const budget: Budget = { left: most, depth: 0, registry };
  countMessage(bytes, readShape(type), budget);
  return most - budget.left;
}

function countMessage(bytes: Uint8Array, shape: Shape, budget: Budget): void {
  budget.depth += 1;
  if (budget.depth > MAX_DEPTH) throw new Error(`Messages are at most ${MAX_DEPTH} deep`);
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len && budget.left >= 0) {
    const [number, wire] = reader.tag();
    budget.left -= 1;
    const counter = wire === WireType.LengthDelimited ? shape.get(number) : undefined;
    if (counter === undefined) reader.skip(wire, number);
    else counter(reader.bytes(), budget);
  }
  budget.depth -= 1;
}

const shapes = new WeakMap<DescMessage, Shape>();

function readShape(type: DescMessage): Shape {
  const known = shapes.get(type);
  if (known !== undefined) return known;
  const shape: Shape = new Map(
    type.fields.flatMap((field): [number, Counter][] => {
      const counter = createCounter(field);
      return counter === undefined ? [] : [[field.number, counter]];
    }),
  );
  shapes.set(type, shape);
  return shape;
}

const ANY = 'google.protobuf.Any';
const ANY_TYPE = 1;
const ANY_VALUE = 2;
const MAP_VALUE = 2;

function createCounter(field: DescField): Counter | undefined {
  const { message } = field;
  if (field.fieldKind === 'list' && message === undefined) return createNumberCounter(field.scalar);
  const counter: Counter | undefined =
    message &&
    (message.typeName === ANY ? countAny : (bytes, budget) => countMessage(bytes, readShape(message), budget));
  if (field.fieldKind !== 'map') return counter;
  const pair: Shape = new Map(counter === undefined ? [] : [[MAP_VALUE, counter]]);
  return (bytes, budget) => countMessage(bytes, pair, budget);
}

/** Its value is read by its type, which may come after it. */
function countAny(bytes: Uint8Array, budget: Budget): void {
  let url = '';
  let value: Uint8Array = new Uint8Array();
  const shape: Shape = new Map<number, Counter>([
    [ANY_TYPE, (text) => void (url = new TextDecoder().decode(text))],
    [ANY_VALUE, (content) => void (value = content)],
  ]);
  countMessage(bytes, shape, budget);
  const type = budget.registry.getMessage(url.slice(url.lastIndexOf('/') + 1));
  if (type !== undefined) countMessage(value, readShape(type), budget);
}

const WIDTHS: Readonly<Partial<Record<ScalarType, number>>> = {
  [ScalarType.DOUBLE]: 8,
  [ScalarType.FIXED64]: 8,
  [ScalarType.SFIXED64]: 8,
  [ScalarType.FLOAT]: 4,
  [ScalarType.FIXED32]: 4,
  [ScalarType.SFIXED32]: 4,
};

/** Numbers of a list, enumerations where it says no type, that come in one field. */
function createNumberCounter(type: ScalarType | undefined): Counter | undefined {
  if (type === ScalarType.STRING || type === ScalarType.BYTES) return undefined;
  const width = type === undefined ? undefined : WIDTHS[type];
  return (bytes, budget) => {
    budget.left -= width === undefined ? countVarints(bytes) : Math.ceil(bytes.byteLength / width);
  };
}

/** The last byte of each has no bit that says that it goes on. */
const countVarints = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum + (byte < 0x80 ? 1 : 0), 0);
