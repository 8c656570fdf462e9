import type { AnswerEngine } from '../../models/port.ts';
import type { AnswerMakers, EngineTools } from '../../models/registry.ts';
import { parseJson } from '../../lib/json.ts';
import { readAtMost } from '../../net/read-body.ts';
import { classifyAnswer } from '../refusals/refusals.ts';
import { type EngineSpec, MAX_MODEL_CALL_BYTES, modelCall } from './model-call.ts';

/** What the Worker of models asks with: the network, and Workers AI where it is bound. */
export type ModelTools = Pick<EngineTools, 'fetch' | 'ai'>;

/** Answers one call of the api Worker. Nothing of it is stored or logged: it carries the key of the engine. */
export async function answerModelCall(request: Request, make: AnswerMakers, tools: ModelTools): Promise<Response> {
  if (request.method !== 'POST' || request.body === null) return new Response(null, { status: 405 });
  const bytes = await readAtMost(request.body, MAX_MODEL_CALL_BYTES);
  if (bytes === undefined) return new Response(null, { status: 413 });
  const call = modelCall.safeParse(parseJson(new TextDecoder().decode(bytes)));
  if (!call.success) return new Response(null, { status: 400 });
  const { data } = call;
  if (data.ask === 'refusal') {
    const { prompt, niche, language } = data.about;
    return Response.json({ refusal: classifyAnswer(data.text, { prompt, niche, language }) });
  }
  const engine = makeEngine(data.engine, make, tools);
  if (engine === undefined) return new Response(null, { status: 501 });
  return Response.json(await engine.answer(data.prompt, request.signal));
}

/** Undefined where it is a model of the platform, and none is bound here. */
function makeEngine(spec: EngineSpec, make: AnswerMakers, { fetch, ai }: ModelTools): AnswerEngine | undefined {
  if (spec.kind === 'workers-ai') return ai && make[spec.kind]({ ...spec.api, binding: ai }, { fetch, ai });
  if (spec.kind === 'openai-compatible')
    return make[spec.kind]({ ...spec.api, key: spec.api.key, fetch }, { fetch, ai });
  return make[spec.kind]({ ...spec.api, country: spec.api.country, fetch }, { fetch, ai });
}
