import type { PromptLanguage } from '../prompts/prompt-set.ts';
import { cueStems } from './cue-stems.ts';
import { isPossibleName } from './known-words.ts';
import { type AnswerPart, normaliseWords } from './parts.ts';

/** Codes of errors and requests: letters and figures in one word, joined by a stroke, or a figure of HTTP before a dash. */
const CODE =
  /\b\p{L}{1,20}_\w{1,30}|\b(?=[\da-f-]{0,40}\d)(?=[\da-f-]{0,40}[a-f])[\da-f]{2,12}(?:-[\da-f]{2,12}){1,5}\b|\b\p{L}{0,12}(?:code|código|codice|id)\s?[:#]?\s?(?=[\p{L}-]{0,6}\d)[\p{L}\d-]{2,30}/giu;
const STATUS_DASH = /(\b[45]\d\d)\s[–—-]\s/gu;
/** Polite German pronouns have a capital, as the noun behind them does. */
const GERMAN_PRONOUN = /(?<=\s)(?:Ihr(?:e[mnrs]?)?|Sie|Ihnen)(?=\s)/gu;

/** Words that are written with a capital and name nothing that could be bought. */
const PLAIN_CAPITALS = new Set(
  'i im ai ia ki faq gps pdf url usa uk eu ok tv html json id http https www sorry je ich en de gpt llm internet web thema frage france frankreich deutschland germany espana spain italia italy portugal brasil nederland belgie europa europe january february april june july august september october november december pro plus premium internal server error gateway service unavailable request forbidden ray'.split(
    ' ',
  ),
);
const CAPITAL = /\d{0,4}\p{Lu}[\p{L}\p{N}&+.'’-]*/gu;
const MONEY =
  /[€$£¥]\s?\d|\d\s?(?:€|\$|£|¥|%|円|euros?\b|usd\b|eur\b|dollars?\b|dólares|reais\b|kg\b|cm\b|km\b|gb\b|mm\b|万円)/iu;
const BOLD = /\*\*[^*\n]{2,80}\*\*|__[^_\n]{2,80}__/u;
const DOMAIN = /\b[\p{L}\p{N}-]{2,40}\.(?:com|de|fr|es|pt|it|nl|jp|org|net|io|br|eu|co|app|be|at|ch)\b/iu;
/** Signs of a name in Japanese text: a run of Latin letters or katakana, or a quotation. */
const JAPANESE_NAMES = /[「『][^」』\n]{2,40}[」』]|[A-Za-z][A-Za-z0-9.&'-]{2,}|[\p{Script=Katakana}ー]{4,}/gu;

/** Whether a part holds what answers are made of: a name that the question does not have, a price, a figure, a domain. */
export function hasSubstance(part: AnswerPart, asked: string, language: PromptLanguage): boolean {
  const text = part.text.replace(CODE, ' ').replace(STATUS_DASH, '$1: ');
  if (hasMark({ text })) return true;
  if (language === 'ja') return hasJapaneseName(text, asked);
  const read = language === 'de' ? text.replace(GERMAN_PRONOUN, (word) => word.toLowerCase()) : text;
  const names = findCapitals(read).filter((name) => !asked.includes(` ${name.folded} `));
  if (language === 'de')
    return names.some(isNoGermanNoun) || hasNeighbours(names, asked) || hasRecommended(text, asked);
  return names.some(({ at, raw }) => at > 0 || isMarked(raw));
}

/** Whether a part has a price, a figure, a domain or bold type: what no word of talk looks like. */
export const hasMark = ({ text }: Pick<AnswerPart, 'text'>): boolean =>
  MONEY.test(text) || BOLD.test(text) || DOMAIN.test(text);

/** Whether a part has a price or what looks like the number of a model (`HW30`): only what is sold has one. */
export const hasModel = ({ text }: Pick<AnswerPart, 'text'>): boolean =>
  MONEY.test(text) || BOLD.test(text) || /\p{Lu}[\p{L}-]{0,20}\d/u.test(text);

type Capital = { raw: string; folded: string; at: number; end: number };

function findCapitals(text: string): readonly Capital[] {
  const found: Capital[] = [];
  const start = text.search(/\p{L}|\p{N}/u);
  for (const { 0: raw, index } of text.matchAll(CAPITAL)) {
    const folded = normaliseWords(raw.replace(/[.'’-]{1,8}$/u, '')).trim();
    const opens = index === start || /[:.!?"“„«(]\s?$/u.test(text.slice(Math.max(0, index - 2), index));
    if (!PLAIN_CAPITALS.has(folded.split(' ', 1)[0] ?? ''))
      found.push({ raw, folded, at: opens ? 0 : index, end: index + raw.length });
  }
  return found;
}

/** `HubSpot`, `DFV`, `GT-2000`: no ordinary word looks like it. */
const isMarked = (raw: string): boolean => /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}|\d/u.test(raw);

const isNoGermanNoun = ({ raw }: Capital): boolean => isMarked(raw);

/** Two capitals in a row, the first not opening the sentence: `Scalable Capital`, and not words of talk (`Moment Geduld`). */
const hasNeighbours = (names: readonly Capital[], asked: string): boolean =>
  names.some(({ end, at, folded }, index) => {
    const next = names[index + 1];
    return at > 0 && next?.at === end + 1 && [folded, next.folded].some((name) => isPossibleName(name, asked, 'de'));
  });

/** "Ich kann (dir) Todoist empfehlen": what is between the halves of the verb, unless any talk has it. */
const CAN =
  /\bkann(?:\s(?:ich|man|dir|euch|ihnen|Ihnen|nur|sehr|auch|hier|da|nicht nur|wärmstens|besonders|guten Gewissens)){0,4}\s(\p{Lu}[\p{L}\p{N}&+]{1,40})(?=\s|,)/gu;

const hasRecommended = (text: string, asked: string): boolean =>
  [...text.matchAll(CAN)].some(([, name = '']) => isPossibleName(normaliseWords(name).trim(), asked, 'de'));

const hasJapaneseName = (text: string, asked: string): boolean =>
  (text.normalize('NFKC').match(JAPANESE_NAMES) ?? []).some(
    (name) =>
      !asked.includes(name.replace(/[「」『』]/gu, '').toLowerCase()) &&
      !JAPANESE_PLAIN.test(name) &&
      !cueStems.ja.machine.includes(name) &&
      !japaneseLoans.has(name),
  );

/** Loan words of any talk, whole. */
const japaneseLoans: ReadonlySet<string> = new Set(
  'トマトソース オリーブオイル トマト バター ニコチン アルコール カジノ ビジネス メッセージ パートナー アイデア チャレンジ スムーズ スタート レベル パフォーマンス キャリア ベスト オプション リスト アイテム バリエーション トレンド ヒント アプローチ プロセス マッチ スキル リサーチ フォロー セキュリティ ソリューション ケース ステップ ジャンル ラインナップ オリジナル プロフェッショナル タバコ ドラッグ ダイエット サプリメント プラン プロジェクト テーマ コメント トピック リンク クリック ボタン カスタマー チーム ゴール ストーリー セキュリティー パーソナル ピッタリ サイズ ランク プロダクト コスパ コストパフォーマンス エンジニア コンサルタント フィードバック メール ニュース メディア ブログ チャンス ステータス クイック'.split(
    ' ',
  ),
);

/** Katakana and Latin words of talk. */
const JAPANESE_PLAIN =
  /^(?:キロ|メートル|センチ|グラム|インターネット|メーカー|ブランド|リアルタイム|ウェブサイト|アドバイス|サービス|アシスタント|ガイドライン|ポリシー|コメント|サポート|リラックス|リスク|データ|アクセス|エラー|リクエスト|ページ|プロンプト|メンテナンス|メリット|デメリット|ライフスタイル|ポイント|ニーズ|ランキング|ギャンブル|トレーニング|モデル|ユーザー|カテゴリー?|オンライン|コミュニティ|カウンセリング|カウンセラー|ストレス|プライバシー|コンテンツ|スタイル|バランス|タイミング|トラブル|リラックス方法|チャットボット|キーワード|システム|サーバー|ログイン|パスワード|タイトル|テキスト|サンプル|ダミー|ブラウザー?|ネットワーク|スタッフ|スケジュール|デザイン|エリア|イメージ|シーン|タイプ|AI|URL|FAQ|JavaScript|http|https|error|Error)/u;
