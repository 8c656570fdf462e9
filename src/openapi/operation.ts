import type { Paths } from '../problems/shared-responses.ts';

/**
 * An operation of the api Worker, stated once: `routes/api` registers the route, and the OpenAPI document describes the path.
 * What people open in a browser, and documents with formats of their own, are routes without a row.
 */
export type ApiOperation<Route extends string = string> = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As OpenAPI writes it: `/reports/{id}.json`. */
  path: string;
  /** As the router reads it: `/reports/:file{[0-9a-f]{32}\\.[a-z]{2,5}}`. Operations may share one. */
  route: Route;
  /** The operation object of OpenAPI 3.1. */
  description: Readonly<Record<string, unknown>>;
};

/** An operation whose path has parameters. */
export const defineOperation = <const Route extends string>(operation: ApiOperation<Route>): ApiOperation<Route> =>
  operation;

/** An operation whose path is its route. */
export const defineFixedOperation = <const Path extends string>(
  method: ApiOperation['method'],
  path: Path,
  description: ApiOperation['description'],
): ApiOperation<Path> => ({ method, path, route: path, description });

/** The `paths` of an OpenAPI document, in the order given. */
export function toOpenApiPaths(operations: readonly ApiOperation[]): Paths {
  const paths: Paths = {};
  for (const { method, path, description } of operations)
    paths[path] = { ...paths[path], [method.toLowerCase()]: description };
  return paths;
}
