import { escapeControls } from '../../../lib/safe-text.ts';
import type { PromptIntent } from '../../../visibility/run/intents.ts';
import { OutLink } from '../../design/parts.tsx';
import { formatWholeNumber } from '../../language/amounts.ts';
import { markEnglish, type PageLanguage } from '../../language/language.ts';
import { failureWords } from '../parts/failure-words.ts';
import { answersWords } from './answers-words.ts';
import type { AnswerOutcome, AnswerPiece, ShownAnswer, ShownBlock, ShownSource } from './shown-answer.ts';

/** Characters that an opened answer shows at once; the rest is one more press away. */
const FIRST_CHARS = 1_500;

/** A prompt as the list has it. */
export type ListedPrompt = { intent: PromptIntent; text: string };

type Props = {
  language: PageLanguage;
  brands: readonly string[];
  prompt: ListedPrompt;
  /** Undefined where its text is no longer there. */
  answer: ShownAnswer | undefined;
  /** The engine's place among several, and its name; undefined where there is one. */
  engine?: { place: number; name: string } | undefined;
};

/**
 * One prompt with what one engine answered. What it wrote is text: of all that comes from an engine only the address of a source
 * becomes a link, and only one by http or https.
 */
export const Answer = ({ language, brands, prompt, answer, engine }: Props) => {
  const isOpenable = answer !== undefined && answer.status !== 'failed';
  const said = (
    <>
      <span class="answer-prompt" lang={markEnglish(language)}>
        {escapeControls(prompt.text)}
      </span>
      <span class="row-marks">
        {answer === undefined ? null : <Marks language={language} brands={brands} answer={answer} />}
        {engine === undefined ? null : (
          <span class="small">
            <bdi>{escapeControls(engine.name)}</bdi>
          </span>
        )}
        <span class="small">{answersWords[language].intents[prompt.intent]}</span>
      </span>
    </>
  );
  return (
    <li
      data-answer
      data-outcome={getOutcome(answer)}
      data-intent={prompt.intent}
      {...(engine === undefined ? {} : { 'data-engine': `${engine.place}` })}
    >
      {isOpenable ? (
        <details class="answer">
          <summary>{said}</summary>
          <div class="answer-body">
            {answer.status === 'refused' ? (
              <p class="note">
                {answersWords[language].refusedBecause} {failureWords[language].refusals[answer.refusal]}.
              </p>
            ) : null}
            <Blocks language={language} {...answer} />
            {answer.status === 'answered' ? (
              <>
                <Rivals language={language} rivals={answer.rivals} />
                <AnswerSources language={language} sources={answer.sources} />
              </>
            ) : null}
          </div>
        </details>
      ) : (
        <div class="answer closed">
          <p class="closed-row">{said}</p>
        </div>
      )}
    </li>
  );
};

/** What the filter knows an answer by: what it does with the first brand, or why there is none. */
const getOutcome = (answer: ShownAnswer | undefined): string =>
  answer === undefined ? '' : answer.status === 'answered' ? (answer.outcomes[0] ?? '') : answer.status;

type MarksProps = { language: PageLanguage; brands: readonly string[]; answer: ShownAnswer };

const Marks = ({ language, brands, answer }: MarksProps) => {
  const words = answersWords[language];
  if (answer.status === 'refused') return <span class="outcome refused">{words.refused}</span>;
  if (answer.status === 'failed')
    return (
      <>
        <span class="outcome failed">{words.noAnswer}</span>{' '}
        <span class="small">{failureWords[language].failures[answer.reason]}</span>
      </>
    );
  return (
    <>
      {answer.outcomes.map((one, place) => (
        <Outcome language={language} outcome={one} brand={answer.outcomes.length > 1 ? brands[place] : undefined} />
      ))}
    </>
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

/** The pages that the answer names as its sources, in its order. */
const AnswerSources = ({
  language,
  sources = [],
}: {
  language: PageLanguage;
  sources: readonly ShownSource[] | undefined;
}) =>
  sources.length === 0 ? null : (
    <div class="answer-sources">
      <p class="small">{answersWords[language].sources}</p>
      <ol>
        {sources.map(({ url, title }) => (
          <li>
            {title === undefined || title.trim() === '' ? null : (
              <>
                <bdi>{escapeControls(title)}</bdi>:{' '}
              </>
            )}
            <OutLink href={url}>{escapeControls(url)}</OutLink>
          </li>
        ))}
      </ol>
    </div>
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

type BlocksProps = { language: PageLanguage; blocks: readonly ShownBlock[]; hiddenChars: number };

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
