import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VisitorClass } from '../../../src/traffic/agents/agent-class.ts';
import type { LogFormat } from '../../../src/traffic/formats/formats-data.ts';
import type { Verification } from '../../../src/traffic/ranges/verify.ts';
import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';

/** A labelled line, as `test/traffic/labelled/README.md` says. */
export type LabelledLine = {
  id: string;
  format: LogFormat;
  line: string;
  class: VisitorClass;
  token: string | null;
  verification: Verification | null;
  referral: string | null;
  origin: string;
};

const folder = join(import.meta.dirname, '..', '..', 'traffic', 'labelled');

/** The rows of a file of the labels. */
export const readJsonLines = (name: string): readonly unknown[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

/** The labelled lines in two halves by a seed: one that rules were made by, and one that was only counted. */
export function splitLabelledLines(): { seen: readonly LabelledLine[]; unseen: readonly LabelledLine[] } {
  const next = createRandomFromSeed('labelled lines');
  const [seen, unseen]: [LabelledLine[], LabelledLine[]] = [[], []];
  for (const line of readJsonLines('lines.jsonl') as readonly LabelledLine[]) (next() < 0.5 ? seen : unseen).push(line);
  return { seen, unseen };
}
