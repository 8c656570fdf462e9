import type { AnswerStructure } from '../structure/structure.ts';
import type { Candidate } from './candidates.ts';
import { KANA, listJapaneseNames } from './japanese.ts';
import { stopHeads } from './words-data.ts';

/** Lists of a block that are read, and names of a list. */
const MAX_LISTS = 20;
const MAX_LIST = 20;

/** What announces a list of names: "recommend", "such as", "include", "there are". */
const ANNOUNCED =
  /(?:推荐|推薦|例如|比如|譬如|包括|有|如|おすすめは|おすすめ|例えば|たとえば)[:： 了的是]{0,3}([^。！？；;：:\n]{3,200})/gu;
const PARTING = /[、，,]|和|与|與|及|以及|或|や/u;
/** What follows the last name of a list. */
const AFTER_LIST = /^(.{1,12}?)(?:等|都|也|是|的|在|这|這|几|均|などが|など|が|は|。|$)/u;
const NAME = /^(?:[\p{Script=Han}\p{Script=Katakana}ー]{2,6}|[\p{L}\p{N}][\p{L}\p{N} .&+-]{1,20})$/u;
const PLAIN_SMALL = /^[a-z][a-z0-9]{2,12}$/u;
/** Fewer names are a sentence more often than a list. */
const MIN_NAMES = 3;

/**
 * The names of announced lists in Chinese and Japanese prose: "推荐：三星、华为和 OPPO". Three or more short names; each is to be
 * believed when another answer has it too. `texts` are those of the blocks of each answer.
 */
export const findCjkNames = (texts: readonly (readonly string[])[]): readonly Candidate[] =>
  texts.flatMap((blocks, answer) =>
    blocks.flatMap((text, block) =>
      findListedNames(text).map((name) => ({
        name,
        answer,
        block,
        place: 'prose' as const,
        isDoubtful: true,
        isWarning: false,
        under: undefined,
      })),
    ),
  );

function findListedNames(text: string): readonly string[] {
  if (!text.includes('、') && !text.includes('，')) return [];
  return [...text.matchAll(ANNOUNCED)].slice(0, MAX_LISTS).flatMap(([, list = '']) => splitNameList(list));
}

/** The front of a text that is a list of short names; what breaks the row ends it. */
function splitNameList(list: string): readonly string[] {
  const names: string[] = [];
  for (const part of list.split(PARTING).slice(0, MAX_LIST)) {
    const text = part.trim();
    if (text === '') continue;
    const name = isName(text) ? text : (AFTER_LIST.exec(text)?.[1] ?? '').trim();
    if (!isName(name)) break;
    names.push(name);
    if (name !== text) break;
  }
  return names.length >= MIN_NAMES ? names : [];
}

const isName = (text: string): boolean =>
  NAME.test(text) && !stopHeads.has(text.toLowerCase()) && (/^[^a-z]/u.test(text) || PLAIN_SMALL.test(text));

/** Names of Japanese running text. What only katakana or characters show is to be believed when another answer has it too. */
export const findJapaneseNames = (answers: readonly AnswerStructure[]): readonly Candidate[] =>
  answers.flatMap(({ blocks }, answer) =>
    blocks.flatMap(({ text }, block) =>
      KANA.test(text)
        ? listJapaneseNames(text).map((found) => ({
            ...found,
            answer,
            block,
            place: 'passing' as const,
            isWarning: false,
            under: undefined,
          }))
        : [],
    ),
  );
