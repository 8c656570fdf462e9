import * as z from 'zod';
import { countUtf8Bytes } from '../../lib/utf8.ts';
import {
  type EngineAnswer,
  type AnswerEngine,
  finishReasons,
  MAX_ANSWER_BYTES,
  MAX_CITATIONS,
  MAX_SOURCE_SPANS,
  MAX_SOURCE_TITLE_CHARS,
} from '../port.ts';

/** Largest transcript file, in characters, and its lines. */
const MAX_CHARS = 4 * 1024 * 1024;
const MAX_LINES = 1000;

const offset = z.int().min(0).max(MAX_ANSWER_BYTES);
const source = z.object({
  url: z.string(),
  title: z.string().max(MAX_SOURCE_TITLE_CHARS).exactOptional(),
  spans: z
    .array(z.tuple([offset, offset]).refine(([from, to]) => from < to, 'is empty'))
    .max(MAX_SOURCE_SPANS)
    .exactOptional(),
});

const lineSchema = z.object({
  prompt: z.string().optional(),
  id: z.string().optional(),
  text: z
    .string()
    .refine((text) => text.trim() !== '', 'holds no text')
    .refine((text) => countUtf8Bytes(text) <= MAX_ANSWER_BYTES, `has over ${MAX_ANSWER_BYTES} bytes`)
    .transform((text) => text.toWellFormed()),
  model: z.string().optional(),
  finish_reason: z.enum(finishReasons).default('stop'),
  citations: z.array(z.string()).max(MAX_CITATIONS).optional(),
  sources: z.array(source).max(MAX_CITATIONS).optional(),
});
/** A transcript file that cannot be replayed: what is wrong, and in which line. */
export class TranscriptFault extends Error {
  override name = 'TranscriptFault';
}

type Line = z.infer<typeof lineSchema>;

/**
 * Replays transcripts: JSON Lines of `{ prompt?, id?, text, model?, finish_reason?, citations?, sources? }`; citations are
 * those of the sources unless given. A prompt is answered by the line
 * with its exact text, else by the line with its id (`price-3`).
 * @throws TranscriptFault naming the line that cannot be read
 */
export function createRecordedEngine({
  jsonl,
  model = 'recorded',
}: {
  jsonl: string;
  model?: string | undefined;
}): AnswerEngine {
  const lines = readLines(jsonl);
  const byPrompt = new Map(lines.flatMap((line) => (line.prompt === undefined ? [] : [[line.prompt, line] as const])));
  const byId = new Map(lines.flatMap((line) => (line.id === undefined ? [] : [[line.id, line] as const])));
  return {
    kind: 'recorded',
    model,
    answer: async (prompt) => {
      const line = byPrompt.get(prompt.text) ?? byId.get(prompt.id);
      return line
        ? toEngineAnswer(line)
        : { ok: false, reason: 'refused', detail: 'no recorded answer to this prompt', retryable: false };
    },
  };
}

function readLines(jsonl: string): readonly Line[] {
  if (jsonl.length > MAX_CHARS) throw new TranscriptFault(`a transcript file has at most ${MAX_CHARS} characters`);
  const texts = jsonl.replace(/^\uFEFF/u, '').split(/\r?\n/u);
  if (texts.length > MAX_LINES + 1) throw new TranscriptFault(`a transcript file has at most ${MAX_LINES} lines`);
  return texts.flatMap((text, at) => (text.trim() === '' ? [] : [readLine(text, at + 1)]));
}

function readLine(text: string, number: number): Line {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new TranscriptFault(`line ${number} of the transcript file is not JSON`);
  }
  const line = lineSchema.safeParse(json);
  if (!line.success)
    throw new TranscriptFault(`line ${number} of the transcript file: ${z.prettifyError(line.error).slice(0, 200)}`);
  if (line.data.prompt === undefined && line.data.id === undefined)
    throw new TranscriptFault(`line ${number} of the transcript file has neither prompt nor id`);
  return line.data;
}

const toEngineAnswer = ({ text, model, finish_reason: finishReason, citations, sources }: Line): EngineAnswer => ({
  ok: true,
  text,
  servedModel: model,
  finishReason,
  citations: citations ?? sources?.map(({ url }) => url),
  ...(sources === undefined ? {} : { sources }),
  usage: { inputTokens: undefined, outputTokens: undefined },
});
