import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { orAbort } from '../../net/deadline.ts';
import type { ChatPiece } from '../../search/search-object.ts';
import type { EngineMessage } from './messages.ts';
import { brokeOff, failurePiece } from './reply.ts';
import { engineFailureOf } from './sdk-failures.ts';

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
export async function* sdkChat(
  { model, maxOutputTokens }: { model: SdkLanguageModel; maxOutputTokens: number },
  messages: readonly EngineMessage[],
  signal: AbortSignal,
): AsyncGenerator<ChatPiece> {
  const own = new AbortController();
  const abortSignal = AbortSignal.any([signal, own.signal]);
  let reader: ReadableStreamDefaultReader<Part> | undefined;
  try {
    const asked = model.doStream({ prompt: messages.map(asPrompt), maxOutputTokens, abortSignal });
    reader = (await orAbort(Promise.resolve(asked), signal)).stream.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const piece = pieceOf(part.value, signal);
      if (piece !== undefined) yield piece;
      if (piece !== undefined && piece.kind !== 'text') return;
    }
  } catch (error) {
    const piece = failed(error, signal);
    // A connection that is lost once the answer has begun.
    yield reader !== undefined && piece.kind === 'failure' && piece.reason === 'unavailable' ? brokeOff() : piece;
  } finally {
    own.abort(); // Whoever stops listening stops the engine too.
    reader?.cancel().catch(() => undefined);
  }
}

function asPrompt({ role, content }: EngineMessage): Prompt[number] {
  if (role === 'system') return { role, content };
  return { role, content: [{ type: 'text', text: content }] };
}

/** Reasoning, sources and what else a provider tells are left out. */
function pieceOf(part: Part, signal: AbortSignal): ChatPiece | undefined {
  if (part.type === 'text-delta') return { kind: 'text', text: part.delta };
  if (part.type === 'error') return failed(part.error, signal);
  return part.type === 'finish' ? endOf(part) : undefined;
}

function failed(error: unknown, signal: AbortSignal): ChatPiece {
  const { reason, detail, retryable } = engineFailureOf(error, signal);
  return failurePiece(reason, detail, retryable);
}

function endOf({ finishReason, usage }: Extract<Part, { type: 'finish' }>): ChatPiece {
  const { unified, raw } = finishReason;
  // The provider of Workers AI calls an end that it does not know a regular one.
  if (unified === 'content-filter' || raw === 'content_filter')
    return failurePiece('filtered', 'the engine filtered its answer');
  if (unified === 'error') return brokeOff();
  const [inputTokens, outputTokens] = [usage.inputTokens.total, usage.outputTokens.total];
  return {
    kind: 'end',
    finish: unified === 'stop' || unified === 'length' ? unified : 'other',
    // No message takes no token: 0 is how providers spell "not said".
    ...(inputTokens && outputTokens ? { usage: { inputTokens, outputTokens } } : {}),
  };
}
