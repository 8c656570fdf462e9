import { type PageLanguage, markEnglish } from '../../language/language.ts';
import { visibilityWords } from '../visibility/visibility-words.ts';
import { enginePanelWords } from './panel-words.ts';
import { type EngineReport, isMeasuredEngine, type PanelReport } from './panel-report.ts';

type Props = { result: PanelReport; language: PageLanguage };

/** Engines that are no AI models, by what they are. */
export const listDemonstrations = ({
  engines,
}: PanelReport): readonly { kind: 'recorded' | 'simulated'; engines: readonly EngineReport[] }[] =>
  (['recorded', 'simulated'] as const).flatMap((kind) => {
    const some = engines.filter((one) => one.simulated && (one.kind === 'recorded') === (kind === 'recorded'));
    return some.length === 0 ? [] : [{ kind, engines: some }];
  });

/** Engines that did not give enough answers for whole figures, or for any. */
export const listWeakEngines = ({ engines }: PanelReport): readonly EngineReport[] =>
  engines.filter((one) => !isMeasuredEngine(one) || one.degraded);

/** What must be known before any figure is read: which engines are no AI models, and which gave few answers or none. */
export const PanelCautions = ({ result, language }: Props) => {
  const words = enginePanelWords[language];
  const weak = listWeakEngines(result);
  return (
    <>
      {listDemonstrations(result).map(({ kind, engines }) => (
        <p class="warning">
          {engines.map(({ name }, at) => (
            <>
              {at === 0 ? '' : ', '}
              <bdi>{name}</bdi>
            </>
          ))}
          {': '}
          {visibilityWords[language].demonstration[kind]}
        </p>
      ))}
      {result.degraded || weak.length > 0 ? (
        <div class="warning">
          <p>{words.degraded}</p>
          <ul>
            {weak.map((engine) => (
              <WeakEngine engine={engine} total={result.prompts.total} language={language} />
            ))}
          </ul>
        </div>
      ) : null}
    </>
  );
};

type WeakProps = { engine: EngineReport; total: number; language: PageLanguage };

const WeakEngine = ({ engine, total, language }: WeakProps) => {
  const words = enginePanelWords[language];
  return (
    <li>
      <bdi>{engine.name}</bdi>:{' '}
      {engine.status === 'measured' ? (
        words.fewOf(engine.valid, total)
      ) : (
        <>
          {words.unavailable}. <span lang={markEnglish(language)}>{engine.detail}</span>
        </>
      )}
    </li>
  );
};
