import { checks } from '../audit/core/catalogue.ts';

/** The page that lists all checks. */
export const CHECKS_PATH = '/docs/reference/checks/';

const known = new Set(checks.map(({ id }) => id));

/** The page of a check on the service; undefined for an id that our table does not have, which an old report may. */
export const formatCheckPath = (id: string): string | undefined => (known.has(id) ? `${CHECKS_PATH}${id}` : undefined);
