/** The JSON Pointer (RFC 6901) of a path into a body, as the errors of a refused body name a member. */
export const formatJsonPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
