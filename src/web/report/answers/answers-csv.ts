import { formatCsv } from '../../console/tables.tsx';
import { FAILURES } from '../parts/words.ts';
import type { ShownAnswers } from './shown-answer.ts';

/** Every prompt with its whole answer as a CSV file, for a spreadsheet: what would run there is text (rule X8). */
export function formatAnswersCsv({ measurement, brands, answers }: ShownAnswers): string {
  const byIndex = new Map(answers.map((answer) => [answer.index, answer]));
  const columns = ['prompt_id', 'kind', 'prompt', ...brands.map((brand) => `outcome: ${brand}`), 'also_named'];
  const rows = measurement.prompts.asked.map((one) => {
    const answer = byIndex.get(one.index);
    const failed = one.status === 'failed' ? `no answer: ${FAILURES[one.reason]}` : '';
    return [
      one.id,
      one.intent,
      one.prompt,
      ...brands.map((_brand, place) => answer?.outcomes[place] ?? failed),
      answer?.rivals.join('; ') ?? '',
      one.status === 'answered' ? (one.served_model ?? '') : '',
      one.status === 'answered' ? one.finish_reason : '',
      one.status === 'answered' ? one.sha256 : '',
      answer?.text ?? '',
    ];
  });
  return formatCsv([[...columns, 'model', 'finish', 'sha256', 'answer'], ...rows]);
}
