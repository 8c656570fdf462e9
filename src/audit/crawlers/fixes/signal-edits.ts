import { agentsFor } from '../facts/ai-agents.ts';
import { parseRobots, robotsVerdict } from '../facts/robots.ts';
import { slot } from '../../../fixes/core/fix-slots.ts';
import type { RobotsEdit } from '../../../fixes/core/recipe.ts';
import { editLines } from './robots-text.ts';

const KEYS = ['search', 'ai-input', 'ai-train'];

/** Content-Signal lines with keys and values that the vocabulary has; what cannot be told is asked for. */
export const mendSignals: RobotsEdit = (text) => {
  const signals = parseRobots(text).others.filter(({ key }) => key === 'content-signal');
  return editLines(text, {
    replace: new Map(signals.map(({ line, value }) => [line, `Content-Signal: ${mendedSignal(value)}`])),
  });
};

function mendedSignal(value: string): string {
  const pairs = value
    .split(/[,;]/)
    .slice(0, 20)
    .map((pair) => pair.split('=').map((part) => part.trim().toLowerCase()));
  const good = pairs.flatMap(([key = '', answer = '']) => {
    const name = KEYS.find((known) => known.replaceAll('-', '') === key.replaceAll(/[-_\s]/g, ''));
    const said = { y: 'yes', n: 'no', true: 'yes', false: 'no', allow: 'yes', disallow: 'no', yes: 'yes', no: 'no' }[
      answer
    ];
    return name === undefined || said === undefined ? [] : [`${name}=${said}`];
  });
  return good.length > 0 ? [...new Set(good)].join(', ') : KEYS.map((key) => `${key}=${slot('policy')}`).join(', ');
}

/** Where a signal says other than the rules, it says what the rules enforce. */
export const alignSignals: RobotsEdit = (text, { audited }) => {
  const file = parseRobots(text);
  const url = audited.site.start.href;
  const closed = (purpose: 'search' | 'training'): boolean =>
    agentsFor(purpose).some(({ token }) => !robotsVerdict(file, token, url).allowed);
  const answers = { 'ai-train': closed('training') ? 'no' : undefined, search: closed('search') ? 'no' : undefined };
  const lines = file.others.filter(({ key }) => key === 'content-signal' || key === 'content-usage');
  const replace = lines.map(({ key, value, line }) => {
    const name = key === 'content-signal' ? 'Content-Signal' : 'Content-Usage';
    const pairs = value
      .split(',')
      .map((pair) => pair.trim())
      .map((pair) => aligned(pair, answers));
    return [line, `${name}: ${pairs.join(', ')}`] as const;
  });
  return editLines(text, { replace: new Map(replace) });
};

function aligned(pair: string, answers: Readonly<Record<string, string | undefined>>): string {
  const [key = '', value = ''] = pair.split('=').map((part) => part.trim());
  const name = key.toLowerCase() === 'train-ai' ? 'ai-train' : key.toLowerCase();
  const answer = answers[name];
  if (answer === undefined) return pair;
  return `${key}=${value.length === 1 ? answer.charAt(0) : answer}`;
}
