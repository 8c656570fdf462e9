import type * as z from 'zod';
import type { panelResult } from '../../../capabilities/panel-results.ts';
import { TableHead } from '../../design/parts.tsx';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import { AnswerSection, type AnswersAt } from '../answers/answers.tsx';
import { RateBar, ReportSection, Scroll } from '../parts/layout.tsx';
import { enginePanelWords } from './panel-words.ts';

export type PanelReport = z.infer<typeof panelResult>;

/** How often each of several engines names a brand, and all of them together. */
export const PanelView = ({
  result,
  language = DEFAULT_LANGUAGE,
  answers,
}: {
  result: PanelReport;
  language?: PageLanguage | undefined;
  answers?: AnswersAt | undefined;
}) => {
  const words = enginePanelWords[language];
  return (
    <div class="visibility">
      <ReportSection title={words.engines}>
        <Scroll label={words.engines}>
          <table class="wide">
            <TableHead columns={words.columns} />
            <tbody>
              {result.engines.map((engine) => (
                <tr>
                  <th scope="row">
                    <bdi>{engine.name}</bdi>
                  </th>
                  <td class="drawn">
                    {engine.status === 'measured' ? (
                      <RateBar rate={engine.mention_rate} series={1} language={language} />
                    ) : (
                      words.unavailable
                    )}
                  </td>
                </tr>
              ))}
              <tr class="own">
                <th scope="row">{words.pooled}</th>
                <td class="drawn">
                  <RateBar rate={result.pooled.mention_rate} series={1} language={language} />
                </td>
              </tr>
            </tbody>
          </table>
        </Scroll>
      </ReportSection>
      <AnswerSection language={language} brands={[result.brand]} at={answers} />
    </div>
  );
};
