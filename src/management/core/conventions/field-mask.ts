import { isObject, getMember, type Json, type JsonObject } from '../../../lib/json.ts';
import { Refusal, type RefusalData } from '../../../lib/refusal.ts';
import { isWithinBytes } from '../../../lib/utf8.ts';
import { MAX_MASK_DEPTH, MAX_MASK_PATHS } from '../../../lib/member-mask.ts';
import type { SchemaField, Schemas } from '../table/method-row.ts';
import { refuseViolations, truncateSentText } from './invalid.ts';
import { isForbiddenName, findKnownName, MAX_ID_BYTES, MAX_LONG_TEXT_CHARS } from './names.ts';
import { captureOutcome, type JudgementOutcome } from './outcome.ts';

/** Names from the resource inwards; a map's key is one of them. `*` alone is the whole resource. */
export type MaskPath = readonly string[];

/** A plain name, a key in brackets (quoted or bare), a key in backticks, or what parts them. Spaces are part of nothing. */
const TOKENS = /\["([^"]*)"\]|\[([^\]["`,]*)\]|`([^`]*)`|([^\s.,[\]`"]+)|([.,])|(\S)/g;

/**
 * Parses an update mask: paths parted by commas, of names parted by dots. A map's key is a name too, or stands in brackets
 * or backticks when it has dots or commas: `lines["-1"].state`, `labels.`a.b`` (google/protobuf/field_mask.proto, AIP-161).
 * At most 100 paths, 10 deep (rule K9). No text is no path.
 */
export function parseFieldMask(text: string): JudgementOutcome<readonly MaskPath[]> {
  return captureOutcome(() => {
    if (text.length > MAX_LONG_TEXT_CHARS) throw refuseInvalidMask(text);
    return text.trim() === '' ? [] : parseMaskPaths(text);
  });
}

function parseMaskPaths(text: string): MaskPath[] {
  const paths: string[][] = [];
  let path: string[] = [];
  let expectsName = true;
  const endPath = (): void => {
    if (expectsName || paths.length === MAX_MASK_PATHS) throw refuseInvalidMask(text);
    paths.push(path);
    path = [];
  };
  for (const [, quoted, bare, ticked, name, separator] of text.matchAll(TOKENS)) {
    const key = quoted ?? bare;
    const segment = key ?? ticked ?? name;
    if (separator === ',') {
      endPath();
      expectsName = true;
    } else if (separator === '.') {
      if (expectsName) throw refuseInvalidMask(text);
      expectsName = true;
    } else {
      // A key in brackets follows its map without a dot; any other name follows a dot or begins.
      const fits = key === undefined ? expectsName : !expectsName && path.length > 0;
      if (segment === undefined || !fits || !isSegment(segment) || path.length === MAX_MASK_DEPTH)
        throw refuseInvalidMask(text);
      path.push(segment);
      expectsName = false;
    }
  }
  endPath();
  return paths;
}

const isSegment = (name: string): boolean => name !== '' && isWithinBytes(name, MAX_ID_BYTES) && !isForbiddenName(name);

/**
 * Judges the paths of an update mask by the schema of the resource.
 * @returns them in the schema's spelling, each once, without those that only the server sets; `*` becomes every field that
 *   can be written. 400 INVALID_ARGUMENT for a path that the schema lacks, and for one that goes into a list
 */
export function judgeFieldMask(
  paths: readonly MaskPath[],
  schema: string,
  schemas: Schemas,
): JudgementOutcome<readonly MaskPath[]> {
  return captureOutcome(() => {
    const root: SchemaField = { type: 'object', ref: schema };
    const judged = paths.flatMap((path) =>
      isStar(path) ? listWritablePaths(schema, schemas) : judgeMaskPath(path, root, schemas),
    );
    return [...new Map(judged.map((path) => [JSON.stringify(path), path])).values()];
  });
}

const isStar = (path: MaskPath): boolean => path.length === 1 && path[0] === '*';

const listWritablePaths = (schema: string, schemas: Schemas): MaskPath[] =>
  Object.entries(schemas[schema] ?? {}).flatMap(([name, { readOnly }]) => (readOnly === true ? [] : [[name]]));

/** The path in a list, or no path where it is the server's. */
function judgeMaskPath(path: MaskPath, root: SchemaField, schemas: Schemas): MaskPath[] {
  const names: string[] = [];
  let field = root;
  let isOurs = false;
  for (const segment of path) {
    const [name, inner] = findMember(segment, field, schemas) ?? [];
    if (name === undefined || inner === undefined) throw new Refusal(refuseUnknownPath(path));
    names.push(name);
    field = inner;
    isOurs ||= inner.readOnly === true;
  }
  return isOurs ? [] : [names];
}

function findMember(segment: string, field: SchemaField, schemas: Schemas): [string, SchemaField] | undefined {
  if (field.type === 'any') return [segment, field];
  if (field.type !== 'object') return undefined;
  if (field.values !== undefined) return [segment, field.values];
  const schema = field.ref === undefined ? undefined : schemas[field.ref];
  if (schema === undefined) return [segment, { type: 'any' }];
  const name = findKnownName(schema, segment);
  const inner = name === undefined ? undefined : schema[name];
  return name === undefined || inner === undefined ? undefined : [name, inner];
}

/**
 * A resource after an update by mask: what each path names is taken whole from what was sent, and cleared where that has
 * nothing there. All else stays. Neither argument is changed.
 */
export function applyFieldMask(paths: readonly MaskPath[], before: JsonObject, sent: JsonObject): JsonObject {
  return paths.reduce((body, path) => withPath(body, path, findValueAt(sent, path)), before);
}

function findValueAt(body: JsonObject, path: MaskPath): Json | undefined {
  let value: Json | undefined = body;
  for (const name of path) value = isObject(value) ? getMember(value, name) : undefined;
  return value === null ? undefined : value;
}

function withPath(body: JsonObject, [name, ...rest]: MaskPath, value: Json | undefined): JsonObject {
  if (name === undefined) return body;
  const inner = getMember(body, name);
  if (rest.length > 0) {
    if (value === undefined && !isObject(inner)) return body;
    return { ...body, [name]: withPath(isObject(inner) ? inner : {}, rest, value) };
  }
  if (value !== undefined) return { ...body, [name]: value };
  const { [name]: _cleared, ...others } = body;
  return others;
}

const maskProblem = (message: string): RefusalData => refuseViolations([{ field: 'updateMask', description: message }]);

const refuseInvalidMask = (text: string): Refusal =>
  new Refusal(
    maskProblem(
      `Invalid value at 'updateMask' (type.googleapis.com/google.protobuf.FieldMask), ${JSON.stringify(truncateSentText(text))}`,
    ),
  );

const refuseUnknownPath = (path: MaskPath): RefusalData =>
  maskProblem(`Invalid field mask: no field ${JSON.stringify(truncateSentText(path.join('.')))} can be updated.`);
