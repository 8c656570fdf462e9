import * as z from 'zod';

const MIN_SECRET_CHARS = 32;

const unset = z.literal('').transform(() => undefined);
/** The variables that every Worker reads behind a front of one's own. */
export const frontSettingsSchema = z.object({
  CALLER_ADDRESS_HEADER: z.union([unset, z.string().regex(/^[a-z0-9-]{1,64}$/i)]).optional(),
  FRONT_SECRET: z.union([unset, z.string().min(MIN_SECRET_CHARS)]).optional(),
  BASE_URL: z.string(),
});
