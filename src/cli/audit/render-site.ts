import type { ShownAnswers } from '../../web/report/answers/shown-answer.ts';
import type { TrafficSection } from '../../traffic/report/sections.ts';
import type { CommandFailure } from '../core/failure.ts';
import type { OutputValues } from '../core/output.ts';
import { canColour } from '../core/terminal.ts';
import { selectFormat } from './formats.ts';
import type { LocalResult } from './local-run.ts';

/** A result in the wanted format, for where it goes: a terminal gets colours, and nothing that steers it. */
export function renderSiteResult(
  result: LocalResult,
  values: OutputValues & { verbose?: boolean | undefined },
  answers?: ShownAnswers,
  section?: TrafficSection,
): Promise<string | Uint8Array | CommandFailure> {
  const isFile = values.output !== undefined;
  return selectFormat(values).render(result, {
    isTerminal: !isFile && process.stdout.isTTY,
    hasColours: !isFile && canColour(process.stdout, process.env),
    isVerbose: values.verbose === true,
    answers,
    section,
  });
}
