import * as z from 'zod';
import { parseJson } from '../lib/json.ts';
import type { MessagePart } from './message.ts';

/** What a message asks for: a skill and its input, as they were written. */
export type WantedSkill = { skill: string; input: Record<string, unknown> };
export type WantedOutcome = { ok: true; wanted: WantedSkill } | { ok: false; why: string };

/** A skill is a row of the catalogue or a free one; their names have this form. */
const SKILL = /^[a-z][a-z0-9_]{1,63}$/;
/** `check_health https://example.com`: a skill and the one thing that most of them need. */
const SHORT = /^([a-z][a-z0-9_]{1,63})(?:[ \t]+(\S{1,2000}))?$/;

const record = z.record(z.string(), z.unknown());
const order = z.looseObject({
  skill: z.string().optional(),
  capability: z.string().optional(),
  input: record.optional(),
  arguments: record.optional(),
});

/**
 * The skill that the parts of a message name. Nothing is guessed: one data part, or one text that is the same JSON or
 * "skill address". Everything else is answered with what to send.
 */
export function readWantedSkill(parts: readonly MessagePart[]): WantedOutcome {
  const data = parts.flatMap((part) => (part.kind === 'data' ? [part.data] : []));
  const [first, ...others] = data;
  if (others.length > 0) return { ok: false, why: 'The message has more than one data part.' };
  if (first !== undefined) return readOrder(first);
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : [])).filter((text) => text !== '');
  const [text, ...more] = texts;
  if (text === undefined) return { ok: false, why: 'The message has neither a data part nor a text.' };
  if (more.length > 0) return { ok: false, why: 'The message has more than one text.' };
  if (text.startsWith('{')) return readOrder(parseJson(text));
  const short = SHORT.exec(text);
  if (short === null) return { ok: false, why: 'The text is not understood: no model reads it.' };
  const [, skill = '', url] = short;
  return { ok: true, wanted: { skill, input: url === undefined ? {} : { url } } };
}

function readOrder(value: unknown): WantedOutcome {
  const parsed = order.safeParse(value);
  const skill = parsed.data?.skill ?? parsed.data?.capability;
  if (!parsed.success || skill === undefined || !SKILL.test(skill))
    return { ok: false, why: 'The data names no skill.' };
  return { ok: true, wanted: { skill, input: parsed.data.input ?? parsed.data.arguments ?? {} } };
}

/** What to send, for people and models. */
export const HOW_TO_ASK =
  'Send one data part {"skill": "check_health", "input": {"url": "https://example.com/"}}, or the same JSON as text, or the text "check_health https://example.com/". The skill "index" is free and lists all skills with prices and input schemas.';
