import type { Parameter, SchemaField } from '../../src/management/core/table/method-row.ts';
import type { VendorMethod, VendorParameter, VendorType } from './vendor-facts.ts';

/** A type of the vendor's as a field of a schema. */
export function vendorFieldOf({ type, format, $ref, items, additionalProperties, ...facts }: VendorType): SchemaField {
  const readOnly = facts.readOnly === true ? { readOnly: true as const } : {};
  const requiredBy = facts.required === undefined ? {} : { requiredBy: facts.required };
  const rest = { ...readOnly, ...requiredBy };
  if ($ref !== undefined) return { type: 'object', ref: $ref, ...rest };
  if (items !== undefined) return { type: 'array', items: vendorFieldOf(items), ...rest };
  if (additionalProperties !== undefined)
    return { type: 'object', values: vendorFieldOf(additionalProperties), ...rest };
  return {
    type: type as SchemaField['type'], // One of the seven; the test of the table says so.
    ...sizeOf(type, format),
    ...(facts.enum === undefined ? {} : { enum: facts.enum }),
    ...(facts.default === undefined ? {} : { default: facts.default }),
    ...rest,
  };
}

/** OpenAPI documents made of the vendor's leave out the size that most integers have. */
function sizeOf(type: string | undefined, format: string | undefined): { format?: string } {
  if (format !== undefined) return { format };
  return type === 'integer' ? { format: 'int32' } : {};
}

/** A parameter of the vendor's; its pattern is in the path (`vendorPathOf`). */
export function vendorParameterOf({ location, minimum, maximum, ...told }: VendorParameter): Parameter {
  const { type, repeated, required, format, enum: names, default: standard } = told;
  return {
    in: location,
    type: type as Parameter['type'], // One of the four; the test of the table says so.
    ...(repeated === true ? { repeated } : {}),
    ...(required === true ? { required } : {}),
    ...sizeOf(type, format),
    ...(names === undefined ? {} : { enum: names }),
    ...(standard === undefined ? {} : { default: standard }),
    ...(minimum === undefined ? {} : { minimum: Number(minimum) }),
    ...(maximum === undefined ? {} : { maximum: Number(maximum) }),
  };
}

/** `/v2/{+name}` with the vendor's pattern `^projects/[^/]+$` is `/v2/{name=projects/*}`; what takes all stays. */
export const vendorPathOf = (path: string, method: VendorMethod | undefined): string =>
  path.replace(/\{\+(\w+)\}/, (whole, name: string) => {
    const pattern = method?.parameters[name]?.pattern;
    return pattern === undefined || pattern === TAKES_ALL ? whole : `{${name}=${starsOf(pattern)}}`;
  });

const TAKES_ALL = '^.*$';

const starsOf = (pattern: string): string => pattern.slice(1, -1).replaceAll('[^/]+', '*').replaceAll('.*', '**');
