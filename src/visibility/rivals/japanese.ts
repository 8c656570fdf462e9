import { labelEnds, PHRASE, plainHan, plainKana } from './japanese-data.ts';

export const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HIRAGANA_END = /\p{Script=Hiragana}$/u;
const MAX_KANA_NAME = 24;
const MAX_HAN_NAME = 12;

/** Whether a head in letters without case is a label or a phrase of Japanese and not a name: "電話サポート", "実績で選ぶなら". */
export const isJapaneseLabel = (name: string): boolean =>
  PHRASE.test(name) ||
  plainHan.has(name) ||
  plainKana.has(name) ||
  labelEnds.some((end) => name.endsWith(end)) ||
  (HIRAGANA_END.test(name) && /[\p{Script=Han}\p{Script=Katakana}]/u.test(name));

/** Longest name of such letters: Chinese is packed closer than Japanese with its syllables. */
export const getMostCaselessChars = (name: string): number => (KANA.test(name) ? MAX_KANA_NAME : MAX_HAN_NAME);

/** "「らくチョーZ」という", "「帳楽舎」は": a name in quotes that the sentence speaks of. */
const QUOTED = /[「『]([^「」『』。、\n]{2,20})[」』](?=という|は|が|なら|も|を|で|、|・|か|と|や|の|$)/gu;
/** A legal form of Japanese before or behind a name. */
const WITH_FORM =
  /(?:株式会社|有限会社|合同会社)([\p{Script=Katakana}ー\p{Script=Han}A-Za-z]{2,16})|([\p{Script=Katakana}ー]{2,12})(?:株式会社|有限会社|合同会社)/gu;
/** A word in katakana or Latin letters that is the topic: "チョウボラは", "freeeの", "マネーフォワードのほうが". */
const TOPIC =
  /(?<![\p{Script=Katakana}ーA-Za-z0-9・])([\p{Script=Katakana}ー]{3,16}|[A-Za-z][A-Za-z0-9]{2,15})(?=は|が|なら|のほう|の方|と|か(?=[\p{Script=Katakana}\p{Script=Han}A-Za-z])|や|、|も|を試|を選|から)/gu;
/** A short name between marks or particles of a choice: "弥生か", "なら弥生、". */
const CHOSEN_HAN =
  /(?:なら|は|、|か|や|と|場合は|^|[。）)])(\p{Script=Han}{2,4})(?=か[\p{Script=Katakana}\p{Script=Han}A-Za-z]|や[\p{Script=Katakana}A-Za-z]|なら|は\d|、と|のオンライン|「)/gu;
const MAX_PER_BLOCK = 40;

type FoundName = { name: string; isDoubtful: boolean };

/** Names that Japanese running text shows. */
export function listJapaneseNames(text: string): readonly FoundName[] {
  const read = (pattern: RegExp, isDoubtful: boolean): readonly FoundName[] =>
    Array.from(text.matchAll(pattern), ([, first, second]) => ({ name: (first ?? second ?? '').trim(), isDoubtful }));
  return [...read(QUOTED, false), ...read(WITH_FORM, false), ...read(TOPIC, true), ...read(CHOSEN_HAN, true)]
    .filter(
      ({ name }) => name.length >= 2 && !isJapaneseLabel(name) && !(KANA.test(name) && name.length > MAX_KANA_NAME),
    )
    .slice(0, MAX_PER_BLOCK);
}

const UNSPACED = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]/u;

/** Where a name of mixed letters goes on with what it is: "freee|会計", "マネーフォワード| クラウド確定申告". */
export const splitJapaneseFronts = (name: string): readonly string[] => {
  if (!UNSPACED.test(name)) return [];
  const latin = /^([A-Za-z0-9]{2,20})[\p{Script=Katakana}\p{Script=Han}\p{Script=Hiragana}]/u.exec(name)?.[1];
  const kana = /^([\p{Script=Katakana}ー]{3,16})\p{Script=Han}/u.exec(name)?.[1];
  return [latin, kana].filter((front) => front !== undefined && !plainKana.has(front)) as string[];
};
