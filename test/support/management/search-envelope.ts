import { expect } from 'vitest';

/** The envelope of Cloudflare's interfaces. */
export type Envelope<Result = unknown> = {
  success: boolean;
  errors: { code: number; message: string }[];
  messages: unknown[];
  result: Result;
  result_info?: Record<string, unknown>;
};

/** `<HTTP status> <code>: <message>` of a refusal, whose envelope is whole. */
export async function searchRefusal(sent: Response | Promise<Response>): Promise<string> {
  const answer = await sent;
  const { errors, ...rest } = (await answer.json()) as Envelope;
  expect(rest).toEqual({ success: false, messages: [], result: null });
  expect(errors).toHaveLength(1);
  return `${answer.status} ${errors[0]?.code}: ${errors[0]?.message}`;
}

/** The result of a call that was answered, whose envelope is whole. */
export async function searchResult<Result>(sent: Response | Promise<Response>): Promise<Result> {
  const answer = await sent;
  const { result, result_info: _, ...rest } = (await answer.json()) as Envelope<Result>;
  expect([answer.status, rest]).toEqual([200, { success: true, errors: [], messages: [] }]);
  return result;
}
