import { methods } from '../../../src/management/core/table/method-row.ts';
import { listDifferences, readSdkAnswers } from '../../support/management/sdk-types.ts';

const ROUTES = methods
  .filter((row) => row.interface === 'aisearch')
  .map(({ id, httpMethod, path }) => ({
    id,
    httpMethod,
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** The official client's types of answers, and how those that came differ from them. */
export type AnswerJudge = {
  fetch: typeof fetch;
  /** Methods whose answers were judged. */
  judged: ReadonlySet<string>;
  /** All methods of the client whose answer has a type. */
  typed: readonly string[];
  /** @throws Error with what differed since this was last asked */
  requireSame: () => void;
};

/** Members that no type has, and why: clients of OpenAI's kind insist on this one of a chat. */
const OURS = /\.choices\[\d+\]\.finish_reason is not declared$/;

/** Judges each answer that is JSON and no refusal. Flat paths that the client has no method for have the types of the others. */
export function judgeAnswers(): AnswerJudge {
  const answers = readSdkAnswers();
  const judged = new Set<string>();
  const differences: string[] = [];
  const judge = async (method: string, url: string, response: Response): Promise<void> => {
    const { pathname } = new URL(url);
    const id = ROUTES.find((route) => route.httpMethod === method && route.path.test(pathname))?.id ?? '';
    const answer = answers.get(id) ?? answers.get(id.replace('aisearch.instances.', 'aisearch.namespaces.instances.'));
    if (answer === undefined || !response.headers.get('content-type')?.startsWith('application/json')) return;
    const body = (await response.json()) as { success?: boolean; result?: unknown };
    judged.add(id);
    const result = body.success === true ? body.result : body;
    const found = listDifferences(answer, result).filter((one) => !OURS.test(one));
    differences.push(...found.map((one) => `${id}: ${one}`));
  };
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const url = input instanceof Request ? input.url : String(input);
      if (response.ok) await judge((init?.method ?? 'GET').toUpperCase(), url, response.clone());
      return response;
    },
    judged,
    typed: [...answers.keys()],
    requireSame: () => {
      if (differences.length > 0) throw new Error(differences.splice(0).join('\n'));
    },
  };
}
