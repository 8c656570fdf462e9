import type { Account } from './account.ts';

/** One call of the API, as a route sees it. */
export type ApiCall = {
  readonly account: Account;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Segments of the path that the route names, in its order. */
  readonly names: readonly string[];
  readonly body: Buffer;
  readonly contentType: string;
  /** What the call is authorized by. */
  readonly bearer: string;
};

/** An answer that has pages. */
export class ListedAnswer {
  readonly items: readonly unknown[];
  readonly info: Readonly<Record<string, unknown>>;

  constructor(items: readonly unknown[], info: Readonly<Record<string, unknown>> = {}) {
    this.items = items;
    this.info = { page: 1, per_page: 100, total_pages: 1, count: items.length, total_count: items.length, ...info };
  }
}

/** Method and path, whose segments `*` are handed over as `names`, and what is answered as `result`. */
export type ApiRoute = readonly [method: string, path: string, answer: (call: ApiCall) => unknown];

/** A call whose credential is checked by its route: upload tokens are none of the account. */
export const OWN_CREDENTIAL_PATH = '/workers/assets/upload';

export const readJson = (call: ApiCall): unknown => JSON.parse(call.body.length === 0 ? '{}' : call.body.toString());

/** @returns the named segments where the route fits; undefined where it does not */
export function matchPath(pattern: string, path: string): readonly string[] | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  if (!wanted.every((segment, i) => segment === '*' || segment === given[i])) return undefined;
  return given.filter((_, i) => wanted[i] === '*').map(decodeURIComponent);
}
