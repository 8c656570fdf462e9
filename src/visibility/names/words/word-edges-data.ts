const wordsOf = (list: string): readonly string[] => list.split(' ');

/** Endings that make a longer ordinary word of a Chinese name that is itself a word: millet porridge, a three-star hotel. */
export const hanWordEnds = wordsOf('粥 饭 饼 糕 椒 酒 醋 汁 树 皮 茶 级 級 寺 的な 的に 神社 神宮 温泉 町 村 県 郡');

/** Chinese words whose last character may be the first of a name, and the characters before them that show it is. */
export const hanWordStarts: readonly { word: string; unless: string }[] = [
  { word: '中华', unless: '其当国' },
  { word: '精华', unless: '' },
  { word: '繁华', unless: '' },
  { word: '豪华', unless: '' },
];

/** What may follow a Japanese name in katakana that still names it: its products and parts. */
export const kanaBrandEnds = wordsOf(
  'ストア ショップ ジャパン グループ ホールディングス カード ペイ モバイル クラウド ミュージック ウォッチ サイト アプリ ブランド ユーザー シリーズ テレビ カメラ スマホ バンク プラス プロ',
);

/** Korean particles that follow a name without a space. */
export const hangulParticles = wordsOf(
  '은 는 이 가 을 를 의 에 에서 에서는 에서도 와 과 로 으로 로는 으로는 도 만 까지 부터 보다 보다는 처럼 랑 이랑 나 이나 라는 이라는 라고 이라고 에도 에는 입니다 이다 예요 이에요 이며 이고 인 인데 한테 에게 께서 밖에 마다 조차 뿐 하고 야 로서',
);

/** What begins the name of a Korean company's product behind the company's own. */
export const hangulBrandEnds = wordsOf(
  '페이 톡 지도 쇼핑 클라우드 스토어 뱅크 웹툰 뮤직 카페 블로그 플러스 코리아 그룹',
);
