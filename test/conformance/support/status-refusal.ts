import * as z from 'zod';

const errorSchema = z.object({
  response: z.object({
    status: z.number(),
    data: z.object({ error: z.object({ code: z.number(), status: z.string(), message: z.string() }) }),
  }),
});

/** `<HTTP status> <word>` of a call of the official client that must fail, by google.rpc.Status. */
export async function statusRefusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    const { response } = errorSchema.parse(error);
    return `${response.status} ${response.data.error.status}`;
  }
  throw new Error('The call was not refused');
}
