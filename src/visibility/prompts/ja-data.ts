import type { LanguageWordings, Wording } from './wordings.ts';

/** Of products one asks どれ; of what is a company or an address, どこ. */
const askByKind = (template: string): Wording => ({
  product: template.replace('{which}', 'どれ'),
  service: template.replace('{which}', 'どこ'),
});

/** Prompt set v2 in Japanese. No どの before the niche, which often begins with a place. */
export const promptsJa: LanguageWordings = {
  discovery: [
    '{niche}でおすすめはありますか？',
    {
      local: '{niche}なら、まずどこがいいですか？',
      other: askByKind('{niche}を選ぶなら、まず{which}を検討しますか？'),
    },
    {
      local: 'この辺りのことはよく知りません。知っておくべき{niche}を教えてください。',
      other: 'この分野には詳しくありません。知っておくべき{niche}を教えてください。',
    },
    '{niche}を探しています。いくつか候補を挙げてもらえますか？',
    '多くの人が選んでいる{niche}を教えてください。',
  ],
  recommendation: [
    {
      local: 'こちらに来たばかりです。{niche}のおすすめを教えてください。',
      other: '初めてなのでよくわかりません。{niche}のおすすめを教えてください。',
    },
    'こだわりが強いほうです。自分に合いそうな{niche}はありますか？',
    askByKind('とにかく時間がありません。{niche}なら、{which}を選べばいいですか？'),
    '面倒なことが苦手な人に向いている{niche}はありますか？',
    {
      local: askByKind('{niche}なら、地元に詳しい人は{which}をすすめますか？'),
      other: askByKind('{niche}なら、詳しい人は自分では{which}を選んでいますか？'),
    },
  ],
  problem: [
    askByKind('急いでいて、何日も比べている余裕がありません。{niche}なら、{which}にすればいいですか？'),
    {
      product: '今使っているものに満足していません。代わりにおすすめの{niche}はありますか？',
      service: {
        local: '今利用しているところに満足していません。代わりにおすすめの{niche}はありますか？',
        other: '今利用しているところに満足していません。{niche}を変えるなら、どこがいいですか？',
      },
    },
    '以前、選んで後悔したことがあります。安心して選べる{niche}はありますか？',
    askByKind('選択肢が多すぎて決められません。{niche}なら、あなたは{which}を選びますか？'),
    '{niche}を選ぶときは、何に気をつければいいですか？おすすめもあわせて教えてください。',
  ],
  comparison: [
    '{niche}の有名どころを比較してください。',
    '人気の{niche}には、それぞれどのような違いがありますか？',
    'よく名前が挙がる{niche}の長所と短所を、それぞれ教えてください。',
    '候補を絞り込みたいです。検討すべき{niche}と、それぞれの違いを教えてください。',
    askByKind('{niche}を選ぶなら、普通でよい場合とこだわりたい場合では、それぞれ{which}がいいですか？'),
  ],
  price: [
    'あまりお金をかけられません。安くても満足できる{niche}はありますか？',
    {
      product: '購入前に試せる{niche}や、合わなければ返品できるものはありますか？',
      service: '料金を事前にはっきり示してくれる{niche}を教えてください。',
    },
    askByKind('{niche}をコストパフォーマンスで選ぶなら、{which}がいいですか？'),
    '多少高くても選ぶ価値のある{niche}はありますか？',
    {
      product: '{niche}の相場はどのくらいですか？良心的な価格のものも教えてください。',
      service: '{niche}の相場はどのくらいですか？良心的な料金のところも教えてください。',
    },
  ],
  trust: [
    '特に信頼できると評判の{niche}を教えてください。',
    {
      product: '購入後のトラブルが少ない{niche}はどれですか？',
      service: '何かあったときにきちんと対応してくれる{niche}を教えてください。',
    },
    '利用者の評価が特に高い{niche}を教えてください。',
    '有名どころ以外で、おすすめの{niche}はありますか？',
    {
      product: '乗り換える人が多い{niche}はどれですか？その理由も教えてください。',
      service: 'ほかから移る人が多い{niche}と、その理由を教えてください。',
    },
  ],
};
