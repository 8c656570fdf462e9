import { parseJson } from '../../lib/json.ts';
import { readAtMost } from '../../net/read-body.ts';
import type { CheckPorts, DeploymentCheck } from './check.ts';

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export type Answered = { reached: true; url: string; status: number; headers: Headers; text: string; json: unknown };
/** Nothing answered: that says nothing about what would have been answered. */
export type NotReached = { reached: false; url: string; why: string };

/** One request, read to its end within limits. Never throws. */
export async function askFor(
  { ask }: Pick<CheckPorts, 'ask'>,
  url: string,
  init: RequestInit = {},
): Promise<Answered | NotReached> {
  try {
    const answer = await ask(url, init);
    const bytes = answer.body === null ? new Uint8Array() : await readAtMost(answer.body, MAX_ANSWER_BYTES);
    if (bytes === undefined) return { reached: false, url, why: `the answer is larger than ${MAX_ANSWER_BYTES} bytes` };
    const text = new TextDecoder().decode(bytes);
    return { reached: true, url, status: answer.status, headers: answer.headers, text, json: parseJson(text) };
  } catch (error) {
    return { reached: false, url, why: describeFailure(error) };
  }
}

/** The code of the system or of TLS where there is one: texts of libraries are for no one. */
function describeFailure(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code).slice(0, 60);
  return cause instanceof Error ? cause.name : 'no answer';
}

/** Of JSON, sent as it is. */
export const buildJsonPost = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** A check by its id and what holds where it passes. */
export type CheckName = Pick<DeploymentCheck, 'id' | 'title'>;

export const acceptCheck = (name: CheckName, detail: string): DeploymentCheck => ({ ...name, status: 'pass', detail });

export const warnCheck = (name: CheckName, detail: string, next: string): DeploymentCheck => ({
  ...name,
  status: 'warn',
  detail,
  next,
});

export const failCheck = (name: CheckName, detail: string, next: string): DeploymentCheck => ({
  ...name,
  status: 'fail',
  detail,
  next,
});

/** Could not be checked: never a failure. */
export const leaveUnknown = (name: CheckName, detail: string, next?: string): DeploymentCheck => ({
  ...name,
  status: 'unknown',
  detail,
  ...(next === undefined ? {} : { next }),
});

export const describeNotReached = ({ url, why }: NotReached): string => `${url} could not be reached (${why})`;
