import type { CheckPorts, DeploymentCheck } from '../../../src/deploy/checks/check.ts';

/** A deployment of a test: what each request is answered, by `METHOD path`, and what was asked. */
export type Answers = Readonly<Record<string, (init: RequestInit, url: URL) => Response | Promise<Response>>>;

export const API = 'https://sightline.example';
export const CONTROL = 'https://control.example';
export const WEBHOOK = 'https://webhook.example';
export const NOW = Date.parse('2026-11-27T12:00:00Z');

export type FakePorts = CheckPorts & { asked: string[]; sent: RequestInit[] };

/** Ports over such answers; what is not there does not answer at all. Time passes by waiting alone. */
export function fakePorts(answers: Answers, changes: Partial<CheckPorts> = {}): FakePorts {
  const asked: string[] = [];
  const sent: RequestInit[] = [];
  let nowMs = NOW;
  return {
    asked,
    sent,
    ask: async (text, init = {}) => {
      const url = new URL(text);
      const name = `${init.method ?? 'GET'} ${url.href.replace(API, '')}`;
      asked.push(name);
      sent.push(init);
      const answer = answers[name];
      if (answer === undefined) throw Object.assign(new TypeError('fetch failed'), { cause: refused });
      return answer(init, url);
    },
    readCertificate: async () => ({
      validFromMs: NOW - 1,
      validToMs: NOW + 90 * 86_400_000,
      matchesHost: true,
      issuer: 'A test',
    }),
    now: () => nowMs,
    wait: async (ms) => {
      nowMs += ms;
    },
    ...changes,
  };
}

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers });

/** The body of a request of a check, which is always text. */
export const bodyOf = ({ body }: RequestInit): string => (typeof body === 'string' ? body : '');

/** `<status> <id>` of each. */
export const shortly = (results: readonly DeploymentCheck[]): readonly string[] =>
  results.map(({ id, status }) => `${status} ${id}`);

export const found = (results: readonly DeploymentCheck[], id: string): DeploymentCheck => {
  const result = results.find((one) => one.id === id);
  if (result === undefined) throw new Error(`no result ${id} in ${shortly(results).join(', ')}`);
  return result;
};
