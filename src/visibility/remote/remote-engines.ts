import type { AnswerEngine, AnswerFailure, EngineAnswer } from '../../models/port.ts';
import { type AskModels, buildAnswerEngines, type Engines, type EngineTools } from '../../models/registry.ts';
import { readAtMost } from '../../net/read-body.ts';
import type { AnswerContext } from '../refusals/refusals.ts';
import type { RefusalKind } from '../refusals/refusal-kinds.ts';
import { answerReply, type EngineSpec, MAX_REPLY_BYTES, type ModelCall, refusalReply } from './model-call.ts';

/** Times that it is asked whether a text is an answer: nothing of that costs an engine. */
const REFUSAL_TRIES = 3;

const answers = buildAnswerEngines({
  'openai-compatible': ({ fetch: _fetch, ...api }, tools) =>
    createRemoteEngine({ kind: 'openai-compatible', api }, tools),
  openai: ({ fetch: _fetch, ...api }, tools) => createRemoteEngine({ kind: 'openai', api }, tools),
  anthropic: ({ fetch: _fetch, ...api }, tools) => createRemoteEngine({ kind: 'anthropic', api }, tools),
  google: ({ fetch: _fetch, ...api }, tools) => createRemoteEngine({ kind: 'google', api }, tools),
  perplexity: ({ fetch: _fetch, ...api }, tools) => createRemoteEngine({ kind: 'perplexity', api }, tools),
  'workers-ai': ({ binding: _binding, ...api }, tools) => createRemoteEngine({ kind: 'workers-ai', api }, tools),
});

/** The engines of a deployment, asked by the Worker of models. Their settings are judged as where they are asked from here. */
export const remoteAnswers: Engines<AnswerEngine> = answers;

/** One engine behind the Worker of models. Without its binding nothing can be asked, which every prompt then says. */
function createRemoteEngine(engine: EngineSpec, { askModels }: EngineTools): AnswerEngine {
  return {
    kind: engine.kind,
    model: engine.api.model,
    answer: async (prompt, signal): Promise<EngineAnswer | AnswerFailure> => {
      if (askModels === undefined) return NOT_BOUND;
      try {
        const { index, id, intent, text } = prompt;
        const reply = await call(askModels, { ask: 'answer', engine, prompt: { index, id, intent, text } }, signal);
        return withAllMembers(answerReply.parse(reply));
      } catch (error) {
        return signal.aborted ? TOO_LATE : describeLoss(error);
      }
    },
  };
}

/** Whether a text is no answer, by the Worker of models. @throws Error when it cannot be asked */
export async function classifyRemotely(
  askModels: AskModels,
  text: string,
  about: AnswerContext,
  signal: AbortSignal,
): Promise<RefusalKind | undefined> {
  for (let tried = 1; tried < REFUSAL_TRIES; tried += 1) {
    try {
      return await askRefusal(askModels, text, about, signal);
    } catch (error) {
      if (signal.aborted) throw error;
    }
  }
  return askRefusal(askModels, text, about, signal);
}

const askRefusal = async (
  askModels: AskModels,
  text: string,
  { prompt, niche, language }: AnswerContext,
  signal: AbortSignal,
): Promise<RefusalKind | undefined> =>
  refusalReply.parse(await call(askModels, { ask: 'refusal', text, about: { prompt, niche, language } }, signal))
    .refusal;

async function call(askModels: AskModels, what: ModelCall, signal: AbortSignal): Promise<unknown> {
  const response = await askModels(JSON.stringify(what), signal);
  const bytes = response.body === null ? undefined : await readAtMost(response.body, MAX_REPLY_BYTES);
  if (!response.ok || bytes === undefined) throw new ModelsUnavailable(`answered ${response.status}`);
  return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
}

/** JSON leaves out what is undefined. */
function withAllMembers(reply: ReturnType<typeof answerReply.parse>): EngineAnswer | AnswerFailure {
  if (!reply.ok) return reply;
  const { servedModel, citations, usage, sources, isRefusal, ...answer } = reply;
  return {
    ...answer,
    servedModel,
    citations,
    ...(isRefusal === undefined ? {} : { isRefusal }),
    ...(sources === undefined
      ? {}
      : {
          sources: sources.map(({ url, title, spans }) => ({
            url,
            ...(title === undefined ? {} : { title }),
            ...(spans === undefined ? {} : { spans }),
          })),
        }),
    usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  };
}

/** The Worker of models did not do what it was asked. */
class ModelsUnavailable extends Error {
  override name = 'ModelsUnavailable';
}

const describeLoss = (error: unknown): AnswerFailure => ({
  ok: false,
  reason: 'unavailable',
  detail: `the Worker of models ${error instanceof ModelsUnavailable ? error.message : 'could not be asked'}`,
  retryable: true,
});

const TOO_LATE: AnswerFailure = {
  ok: false,
  reason: 'timeout',
  detail: 'the Worker of models did not answer in time',
  retryable: true,
};
const NOT_BOUND: AnswerFailure = {
  ok: false,
  reason: 'unavailable',
  detail: 'the binding MODELS is not declared in this deployment',
  retryable: false,
};
