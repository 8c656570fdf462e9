import * as z from 'zod';
import { isObject } from '../../lib/json.ts';
import type { Settings } from '../emulator/settings.ts';

/**
 * Whether PUT clears what is left out in every row of the table (the seed's rule), or keeps it where the row says that its
 * vendor does (`MethodRow.put`).
 */
export type PutRule = { isStrict: () => boolean; setStrict: (isStrict: boolean) => void; clear: () => void };

const NAME = 'strict_put';

/** Variables of the control Worker that hold for tenants which set nothing themselves. */
export const putVariables = {
  /** `1`: PUT clears what is left out in every row. */
  STRICT_PUT: z.enum(['', '0', '1']).optional(),
};

/** What holds where a tenant sets nothing. @throws ZodError for a variable that does not parse: the deployment is broken */
export const readUsualPutRule = (env: unknown): boolean => z.object(putVariables).parse(env).STRICT_PUT === '1';

/** The rule that a tenant keeps among its settings, or the deployment's. */
export const createPutRule = (settings: Settings, usual: boolean): PutRule => ({
  isStrict: () => {
    const kept = settings.get(NAME);
    return isObject(kept) ? kept['isStrict'] === true : usual;
  },
  setStrict: (isStrict) => settings.set(NAME, { isStrict }),
  clear: () => settings.drop(NAME),
});
