import { checks } from '../audit/core/catalogue.ts';
import { CHECKS_PATH } from './reportable.ts';

const known = new Set(checks.map(({ id }) => id));

/** The page of a check on the service; undefined for an id that our table does not have, which an old report may. */
export const formatCheckPath = (id: string): string | undefined => (known.has(id) ? `${CHECKS_PATH}${id}` : undefined);
