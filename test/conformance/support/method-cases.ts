import type { admin_directory_v1, drive_v3, reseller_v1 } from 'googleapis';
import * as z from 'zod';

/** What a case works with: the official clients, pointed at a control Worker with a tenant of its own. */
export type World = {
  admin: admin_directory_v1.Admin;
  reseller: reseller_v1.Reseller;
  drive: drive_v3.Drive;
  /** Origin of the control Worker, without trailing slash. */
  url: string;
  /** A token with every scope. */
  token: string;
  /** Customer and primary domain of the tenant. */
  customer: string;
  domain: string;
  /** A name that nothing else has: `fresh('user')` is `user-7`. */
  fresh: (word: string) => string;
};

/** One method seen from outside: used rightly, with its effect read back by another method; and wrongly, with the vendor's error. */
export type MethodCase = {
  method: string;
  right: (world: World) => Promise<void>;
  wrong: (world: World) => Promise<void>;
};

const errorSchema = z.object({
  response: z.object({
    status: z.number(),
    data: z.object({
      error: z.object({
        code: z.number(),
        message: z.string(),
        errors: z.array(z.object({ reason: z.string(), domain: z.string(), message: z.string() })),
      }),
    }),
  }),
});

/** `<status> <reason>: <message>` of a call of the official client that must fail. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    const { response } = errorSchema.parse(error);
    const [first] = response.data.error.errors;
    return `${response.status} ${first?.reason}: ${response.data.error.message}`;
  }
  throw new Error('The call was not refused');
}
