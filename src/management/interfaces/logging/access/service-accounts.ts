import { hashNumber } from '../../../core/engine/hash.ts';

/** Containers have no numbers here: one of twelve digits follows from the name, always the same. */
const FIRST_NUMBER = 100_000_000_000;
const NUMBERS = 900_000_000_000;

/**
 * A service account that the vendor's Logging would use for a container: for its key (`cmek-p`), or for its sinks. No such
 * account exists; the name has the vendor's form, for tools that grant it something.
 */
export const logServiceAccount = (prefix: 'cmek-p' | 'service-', container: string): string =>
  `${prefix}${FIRST_NUMBER + (hashNumber(container) % NUMBERS)}@gcp-sa-logging.iam.gserviceaccount.com`;
