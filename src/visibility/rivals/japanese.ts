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
/** "一休.com": a name that is a domain. */
const HAN_DOMAIN = /([\p{Script=Han}\p{Script=Katakana}ー]{2,12}\.(?:com|net|jp|co\.jp))(?![a-z])/gu;
/** "楽天トラベルでは": characters and katakana that a particle follows. */
const MIXED =
  /(?<![\p{Script=Han}\p{Script=Katakana}ー])(\p{Script=Han}{1,4}[\p{Script=Katakana}ー]{2,10})(?=は|が|の|では|なら|と|や|も|を|で|、)/gu;
const MAX_PER_BLOCK = 40;

/** Kinds of business at the end of a name: "俵屋旅館" is 俵屋, and no label where another answer has it, too. */
const BUSINESS_END = /(?:旅館|書店|酒造|製菓|本舗|食堂|製麺|醸造|会館|本店|百貨店|温泉)$/u;
const GENERIC_FRONT =
  /^(?:高級|老舗|人気|大型|専門|小規模|小型|有名|公式|近隣|近く|地元|格安|一般|個人|全国|日本|海外|国内|総合|大手|普通|伝統|温泉|料理|民宿|町家|古い|新しい|各|他|同|当|本|実)/u;
const MIN_BUSINESS_FRONT = 2;

/** The name without its kind of business, where it has one: "俵屋" of "俵屋旅館". */
export function findBusinessFront(name: string): string | undefined {
  const front = name.replace(BUSINESS_END, '');
  const isFront = front !== name && front.length >= MIN_BUSINESS_FRONT && !GENERIC_FRONT.test(front);
  return isFront && !plainHan.has(front) && /^[\p{Script=Han}\p{Script=Katakana}ー]+$/u.test(front) ? front : undefined;
}

type FoundName = { name: string; isDoubtful: boolean };

/** Names that Japanese running text shows. */
export function listJapaneseNames(text: string): readonly FoundName[] {
  const read = (pattern: RegExp, isDoubtful: boolean): readonly FoundName[] =>
    Array.from(text.matchAll(pattern), ([, first, second]) => ({ name: (first ?? second ?? '').trim(), isDoubtful }));
  const mixed = read(MIXED, true).filter(({ name }) => !plainKana.has(name.replace(/^\p{Script=Han}+/u, '')));
  return [
    ...read(HAN_DOMAIN, false),
    ...mixed,
    ...read(QUOTED, false),
    ...read(WITH_FORM, false),
    ...read(TOPIC, true),
    ...read(CHOSEN_HAN, true),
  ]
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
