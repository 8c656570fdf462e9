import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { waitOrAbort } from '../../net/deadline.ts';
import type { ChatPiece, EngineMessage } from '../port.ts';
import { buildBrokenOffPiece, buildFailurePiece } from './reply.ts';
import { toEngineFailure } from './sdk-failure.ts';

/**
 * A language model as providers of the AI SDK make it. It is asked itself: what `streamText` adds (tools, steps, retries, a
 * gateway) is not wanted here, and would be a tenth of what a Worker may weigh.
 */
export type SdkLanguageModel = Pick<ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>, 'doStream'>;
type Part = Awaited<ReturnType<SdkLanguageModel['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;
type Prompt = Parameters<SdkLanguageModel['doStream']>[0]['prompt'];

/**
 * The pieces of one reply of a provider's model. Nothing is asked twice, every way to fail is a piece, and what the other
 * side says of an error is neither logged nor handed on.
 */
export async function* streamSdkChat(
  { model, maxOutputTokens }: { model: SdkLanguageModel; maxOutputTokens: number },
  messages: readonly EngineMessage[],
  signal: AbortSignal,
): AsyncGenerator<ChatPiece> {
  const own = new AbortController();
  const abortSignal = AbortSignal.any([signal, own.signal]);
  let reader: ReadableStreamDefaultReader<Part> | undefined;
  try {
    const asked = model.doStream({ prompt: messages.map(asPrompt), maxOutputTokens, abortSignal });
    reader = (await waitOrAbort(Promise.resolve(asked), signal)).stream.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const piece = convertSdkPart(part.value, signal);
      if (piece !== undefined) yield piece;
      if (piece !== undefined && piece.kind !== 'text') return;
    }
  } catch (error) {
    const piece = convertSdkError(error, signal);
    // A connection that is lost once the answer has begun.
    yield reader !== undefined && piece.kind === 'failure' && piece.reason === 'unavailable'
      ? buildBrokenOffPiece()
      : piece;
  } finally {
    own.abort(); // Anyone who stops listening stops the engine too.
    reader?.cancel().catch(() => undefined);
  }
}

function asPrompt({ role, content }: EngineMessage): Prompt[number] {
  if (role === 'system') return { role, content };
  return { role, content: [{ type: 'text', text: content }] };
}

/** Reasoning, sources and everything else from a provider are left out. */
function convertSdkPart(part: Part, signal: AbortSignal): ChatPiece | undefined {
  if (part.type === 'text-delta') return { kind: 'text', text: part.delta };
  if (part.type === 'error') return convertSdkError(part.error, signal);
  return part.type === 'finish' ? convertFinish(part) : undefined;
}

function convertSdkError(error: unknown, signal: AbortSignal): ChatPiece {
  const { reason, detail, retryable } = toEngineFailure(error, signal);
  return buildFailurePiece(reason, detail, retryable);
}

function convertFinish({ finishReason, usage }: Extract<Part, { type: 'finish' }>): ChatPiece {
  const { unified, raw } = finishReason;
  // The provider of Workers AI calls an end that it does not know a regular one.
  if (unified === 'content-filter' || raw === 'content_filter')
    return buildFailurePiece('filtered', 'the engine filtered its answer');
  if (unified === 'error') return buildBrokenOffPiece();
  const [inputTokens, outputTokens] = [usage.inputTokens.total, usage.outputTokens.total];
  return {
    kind: 'end',
    finish: unified === 'stop' || unified === 'length' ? unified : 'other',
    // No message takes no token: 0 is how providers spell "not said".
    ...(inputTokens && outputTokens ? { usage: { inputTokens, outputTokens } } : {}),
  };
}
