import { formatWholeNumber } from '../../language/amounts.ts';
import { markEnglish, type PageLanguage } from '../../language/language.ts';
import { failureWords } from '../parts/failure-words.ts';
import type { Measurement } from '../parts/words.ts';
import { answersWords } from './answers-words.ts';
import type { AnswerOutcome, AnswerPiece, ShownAnswer, ShownBlock } from './shown-answer.ts';

/** Characters that an opened answer shows at once; the rest is one more press away. */
const FIRST_CHARS = 1_500;

type Asked = Measurement['prompts']['asked'][number];
type Props = {
  language: PageLanguage;
  brands: readonly string[];
  asked: Asked;
  /** Undefined where none came, or where its text is no longer there. */
  answer: ShownAnswer | undefined;
};

/** One prompt with what was answered. All of it is text: nothing that an engine writes becomes a link or an element. */
export const Answer = ({ language, brands, asked, answer }: Props) => {
  const words = answersWords[language];
  const outcome = asked.status === 'failed' ? 'failed' : (answer?.outcomes[0] ?? '');
  return (
    <li data-answer data-outcome={outcome} data-intent={asked.intent}>
      {answer === undefined ? (
        <div class="answer closed">
          <p class="answer-prompt" lang={markEnglish(language)}>
            {asked.prompt}
          </p>
          {asked.status === 'failed' ? (
            <p class="small">
              <span class="outcome failed">{words.noAnswer}</span> {failureWords[language].failures[asked.reason]}
            </p>
          ) : null}
        </div>
      ) : (
        <details class="answer">
          <summary>
            <span class="answer-prompt" lang={markEnglish(language)}>
              {asked.prompt}
            </span>
            <span class="row-marks">
              {answer.outcomes.map((one, place) => (
                <Outcome
                  language={language}
                  outcome={one}
                  brand={answer.outcomes.length > 1 ? brands[place] : undefined}
                />
              ))}
              <span class="small">{words.intents[asked.intent]}</span>
            </span>
          </summary>
          <div class="answer-body">
            <Blocks language={language} {...answer} />
            <Rivals language={language} rivals={answer.rivals} />
          </div>
        </details>
      )}
    </li>
  );
};

type OutcomeProps = { language: PageLanguage; outcome: AnswerOutcome; brand?: string | undefined };

const Outcome = ({ language, outcome, brand }: OutcomeProps) => (
  <span class={`outcome ${outcome}`}>
    {brand === undefined ? null : (
      <>
        <bdi>{brand}</bdi>:{' '}
      </>
    )}
    {answersWords[language].outcomes[outcome]}
  </span>
);

const Rivals = ({ language, rivals }: { language: PageLanguage; rivals: readonly string[] }) =>
  rivals.length === 0 ? null : (
    <p class="small">
      {answersWords[language].alsoNamed}{' '}
      {rivals.map((name, place) => (
        <>
          {place === 0 ? '' : ', '}
          <bdi>{name}</bdi>
        </>
      ))}
    </p>
  );

type BlocksProps = Pick<ShownAnswer, 'blocks' | 'hiddenChars'> & { language: PageLanguage };

const Blocks = ({ language, blocks, hiddenChars }: BlocksProps) => {
  const words = answersWords[language];
  const split = findSplit(blocks);
  const rest = blocks.slice(split);
  const restChars = rest.reduce((sum, block) => sum + countChars(block), 0);
  return (
    <>
      {blocks.slice(0, split).map((block) => (
        <Block {...block} />
      ))}
      {rest.length === 0 ? null : (
        <details class="inner">
          <summary>{words.showAll(formatWholeNumber(restChars, language))}</summary>
          {rest.map((block) => (
            <Block {...block} />
          ))}
        </details>
      )}
      {hiddenChars === 0 ? null : <p class="small">{words.notShown(formatWholeNumber(hiddenChars, language))}</p>}
    </>
  );
};

const countChars = ({ pieces }: ShownBlock): number => pieces.reduce((sum, { text }) => sum + text.length, 0);

/** After which block the first part ends: at least one is shown. */
function findSplit(blocks: readonly ShownBlock[]): number {
  let chars = 0;
  for (const [index, block] of blocks.entries()) {
    chars += countChars(block);
    if (chars > FIRST_CHARS) return Math.max(1, index);
  }
  return blocks.length;
}

const Block = ({ kind, depth, pieces }: ShownBlock) => (
  <p class={`block ${kind}${kind === 'item' && depth > 0 ? ' nested' : ''}`} dir="auto">
    {pieces.map((piece) => (
      <Piece {...piece} />
    ))}
  </p>
);

const Piece = ({ text, mark }: AnswerPiece) =>
  mark === undefined ? <>{text}</> : <mark class={`name of-${mark}`}>{text}</mark>;
