/** A number of cases, as statistics write it in any language. */
export const SAMPLE_SIZE = '(?<![\\p{L}\\p{N}])n\\s?=\\s?\\d{2,9}';

/**
 * How a text says, per language, that its authors found something out themselves. The sentence must have a number too.
 */
export const METHOD_PHRASES: Readonly<Record<string, readonly string[]>> = {
  en: [
    '(?<!\\p{L})(?:we|our\\s(?:team|lab|researchers|engineers|editors|testers|survey|study|tests?|benchmarks?|analysis|data|measurements?))\\s' +
      '(?:[^\\s.]{1,30}\\s){0,5}(?:tested|measured|surveyed|analy[sz]ed|interviewed|benchmarked|polled|sampled|recorded|examined|timed|weighed|counted|evaluated|compared|collected|tracked|found)(?!\\p{L})',
  ],
  de: [
    '(?<!\\p{L})wir\\shaben\\s(?:\\S{1,40}\\s){0,8}(?:getestet|gemessen|befragt|untersucht|analysiert|ausgewertet|verglichen|gewogen|gezählt|erhoben)(?!\\p{L})',
    '(?<!\\p{L})unsere[rn]?\\s(?:messung|messungen|umfrage|untersuchung|auswertung|tests?|studie)(?!\\p{L})',
  ],
  fr: [
    '(?<!\\p{L})nous\\s(?:\\S{1,20}\\s)?avons\\s(?:\\S{1,30}\\s){0,4}(?:testé|mesuré|interrogé|analysé|sondé|étudié|comparé|évalué|pesé|compté)e?s?(?!\\p{L})',
    '(?<!\\p{L})(?:notre\\s(?:étude|enquête|analyse|sondage|test)|nos\\s(?:tests|mesures|analyses))(?!\\p{L})',
  ],
  es: [
    '(?<!\\p{L})(?:hemos\\s(?:\\S{1,30}\\s){0,2}(?:probado|medido|encuestado|analizado|evaluado|comparado|estudiado|entrevistado)|medimos|encuestamos|analizamos|evaluamos)(?!\\p{L})',
    '(?<!\\p{L})nuestr[oa]s?\\s(?:estudio|encuesta|análisis|pruebas?|mediciones)(?!\\p{L})',
  ],
  it: [
    '(?<!\\p{L})abbiamo\\s(?:\\S{1,30}\\s){0,2}(?:testato|misurato|intervistato|analizzato|valutato|confrontato|provato|esaminato)(?!\\p{L})',
    '(?<!\\p{L})nostr[oaie]\\s(?:studio|indagine|analisi|test|misurazioni|sondaggio)(?!\\p{L})',
  ],
  pt: [
    '(?<!\\p{L})(?:test[áa]mos|medimos|entrevist[áa]mos|analis[áa]mos|avali[áa]mos|inquirimos)(?!\\p{L})',
    '(?<!\\p{L})noss[oa]s?\\s(?:estudo|pesquisa|análise|testes?|medições)(?!\\p{L})',
  ],
  nl: [
    '(?<!\\p{L})wij?\\shebben\\s(?:\\S{1,30}\\s){0,8}(?:getest|gemeten|ondervraagd|geanalyseerd|onderzocht|vergeleken|gewogen|geteld)(?!\\p{L})',
    '(?<!\\p{L})(?:onze|ons)\\s(?:onderzoek|tests?|meting(?:en)?|enquête|analyse)(?!\\p{L})',
  ],
  ru: [
    '(?<!\\p{L})мы\\s(?:\\S{1,30}\\s){0,3}(?:протестировали|измерили|опросили|проанализировали|исследовали|сравнили|взвесили|проверили)(?!\\p{L})',
    '(?<!\\p{L})наш(?:е|и|а|его|ему|ей|их)?\\s(?:исследовани[ея]|опрос|тест(?:ы|ов|ах)?|измерени[яе]|анализ)(?!\\p{L})',
  ],
  zh: ['我[们們][^。]{0,15}(?:测试|測試|测量|測量|调查|調查|分析|访谈|统计|对比)'],
  ja: ['(?:私たち|当社|弊社|我々|編集部)(?:は|が|で)[^。]{0,20}(?:測定|調査|検証|テスト|分析|計測)'],
  ko: ['(?:우리는|저희는|우리가|저희가|자체)[^.]{0,20}(?:테스트|측정|조사|분석|설문)'],
  ar: ['(?<!\\p{L})(?:اختبرنا|قسنا|حللنا|استطلعنا|درسنا|أجرينا|قمنا\\sب?(?:اختبار|قياس|تحليل|استطلاع|دراسة))'],
};

/** Praise of oneself that a reader cannot check, per language. */
export const SUPERLATIVES: Readonly<Record<string, readonly string[]>> = {
  en: [
    "(?<!\\p{L})(?:the|our)\\s(?:(?:world|industry|market|country)['’]s\\s)?(?:very\\s)?(?:best|finest|greatest|leading|foremost|premier|top|most\\s(?:trusted|advanced|powerful|innovative|reliable|popular|comprehensive))\\s" +
      '(?!(?:way|ways|time|times|practice|practices|of\\s|in\\smind|thing|part|known|case|bit|hits|left|right)(?!\\p{L}))',
    '(?<!\\p{L})(?:world|best|industry|market)[- ](?:class|leading|leader|in[- ]class)(?!\\p{L})',
    '(?:(?<!\\p{L})(?:number\\sone|no\\.\\s?1)|(?<![\\p{L}\\p{N}&])#1)(?![\\p{L}\\p{N}])',
    '(?<!\\p{L})(?:unrivall?ed|unmatched|unparalleled|unbeatable|second\\sto\\snone|cutting[- ]edge|state[- ]of[- ]the[- ]art|revolutionary|game[- ]chang(?:er|ing)|one[- ]of[- ]a[- ]kind)(?!\\p{L})',
  ],
  de: [
    '(?<!\\p{L})(?:weltweit\\sführend\\p{L}{0,3}|marktführend\\p{L}{0,3}|marktführer|erstklassig\\p{L}{0,3}|unübertroffen\\p{L}{0,3}|einzigartig\\p{L}{0,3}|die\\snummer\\s(?:1|eins))(?!\\p{L})',
  ],
  fr: [
    '(?<!\\p{L})(?:leader\\s(?:mondial|du\\smarché)|(?:numéro|n°)\\s?(?:1|un)|inégal(?:é|able)e?s?|de\\sclasse\\smondiale|à\\sla\\spointe)(?!\\p{L})',
  ],
  es: [
    '(?<!\\p{L})(?:líder(?:es)?\\s(?:mundial(?:es)?|del\\s(?:mercado|sector)|do\\s(?:mercado|setor))|número\\s(?:1|uno|um)|inigualables?|inigualáve(?:l|is)|de\\sclase\\smundial|de\\sclasse\\smundial|de\\svanguardia|de\\sponta)(?!\\p{L})',
  ],
  pt: [
    '(?<!\\p{L})(?:líder(?:es)?\\s(?:mundial(?:es)?|del\\s(?:mercado|sector)|do\\s(?:mercado|setor))|número\\s(?:1|uno|um)|inigualables?|inigualáve(?:l|is)|de\\sclase\\smundial|de\\sclasse\\smundial|de\\svanguardia|de\\sponta)(?!\\p{L})',
  ],
  it: [
    "(?<!\\p{L})(?:leader\\s(?:mondiale|di\\smercato|del\\ssettore)|numero\\suno|ineguagliabil[ei]|all['’]avanguardia|di\\slivello\\smondiale)(?!\\p{L})",
  ],
  nl: ['(?<!\\p{L})(?:toonaangevend\\p{L}{0,2}|ongeëvenaard\\p{L}{0,2}|marktleider|de\\snummer\\s(?:1|één))(?!\\p{L})'],
  ru: [
    '(?<!\\p{L})(?:лучш(?:ий|ая|ее|ие)\\sв\\sмире|мировой\\sлидер|лидер\\sрынка|номер\\sодин|непревзойд[её]нн\\p{L}{2,3}|№\\s?1)(?![\\p{L}\\p{N}])',
  ],
  zh: ['世界(?:领先|一流|最好|第一)|行业领先|遥遥领先|业界最强|全国第一'],
  ja: ['世界最高|業界(?:最高|No\\.?1|随一|トップ)|日本一'],
  ko: ['세계\\s?최고|업계\\s?최고|최고의'],
  ar: ['الأفضل\\sفي|الرائد(?:ة)?\\sفي|رقم\\sواحد'],
};
