import { toPascalCase } from '../lib/text.ts';

type Member = Record<string, unknown>;
/** Operations by path and method. */
export type Paths = Record<string, Record<string, Member>>;

/** Words of a status, for the name of a response that more than two codes share. */
const STATUS_NAMES: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Refused',
  429: 'TooManyRequests',
  503: 'Unavailable',
  '4XX': 'BrokenRequest',
  '5XX': 'Failed',
  default: 'AnyProblem',
};

/**
 * Moves the problem responses of all operations to one place, where each is described once; operations refer to it by name.
 * @param paths of an OpenAPI document, with problem responses written out
 */
export function shareProblemResponses(paths: Paths): { paths: Paths; responses: Record<string, Member> } {
  const responses: Record<string, Member> = {};
  const names = new Map<string, string>();
  const share = (response: Member, status: string): Member => {
    const codes = listResponseCodes(response);
    if (codes.length === 0) return response;
    const text = JSON.stringify(response);
    const name = names.get(text) ?? chooseName(status, codes, new Set(Object.keys(responses)));
    names.set(text, name);
    responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };
  const shareOf = (operation: Member): Member => ({
    ...operation,
    responses: mapValues(operation['responses'] as Record<string, Member>, share),
  });
  return { paths: mapValues(paths, (methods) => mapValues(methods, shareOf)), responses };
}

const mapValues = <T, U>(values: Readonly<Record<string, T>>, change: (value: T, key: string) => U) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));

type ProblemMedia = { schema?: { allOf?: readonly { properties?: { code?: { enum?: readonly string[] } } }[] } };

/** The codes of a problem response; none of any other. */
export function listResponseCodes(response: Readonly<Member>): readonly string[] {
  const content = (response['content'] ?? {}) as Record<string, ProblemMedia>;
  return content['application/problem+json']?.schema?.allOf?.at(-1)?.properties?.code?.enum ?? [];
}

/** One or two codes make the name, more take that of the status; a number keeps two responses apart. */
function chooseName(status: string, codes: readonly string[], taken: ReadonlySet<string>): string {
  const name = codes.length <= 2 ? codes.map(toPascalCase).join('Or') : (STATUS_NAMES[status] ?? `Status${status}`);
  const numbers = Array.from({ length: taken.size }, (_, index) => `${name}${index + 2}`);
  return [name, ...numbers].find((one) => !taken.has(one)) ?? name;
}
