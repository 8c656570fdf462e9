/** What headings say in twelve languages. */
export type TopicWords = {
  /** Words a question opens with. */
  asks: readonly string[];
  /** Words by which a title promises a process. */
  process: readonly string[];
  /** Words by which a title promises a comparison or prices side by side. */
  compares: readonly string[];
};

const list = (text: string): readonly string[] => text.split('|');

/** By BCP 47 primary subtag, lower case. A phrase is words with single spaces. */
export const TOPIC_WORDS: Readonly<Record<string, TopicWords>> = {
  en: {
    asks: list("how|what|what's|why|when|where|who|who's|whom|whose|which"),
    process: list('how to|step by step|step-by-step|steps|guide|install|installing|installation|tutorial'),
    compares: list('vs|versus|compare|compared|comparison|comparing|pricing|plans'),
  },
  de: {
    asks: list(
      'wie|was|warum|wann|wo|wer|wen|wem|wessen|welche|welcher|welches|wieso|weshalb|womit|wofür|wohin|woher|wieviel',
    ),
    process: list('anleitung|schritt für schritt|schritte|installation|installieren|leitfaden|so geht'),
    compares: list('vs|vergleich|vergleichen|verglichen|preise|tarife'),
  },
  fr: {
    asks: list("comment|pourquoi|quand|où|qui|que|quoi|quel|quelle|quels|quelles|combien|qu'est-ce|est-ce"),
    process: list("comment faire|étape par étape|étapes|guide|installer|installation|tutoriel|mode d'emploi"),
    compares: list('vs|comparaison|comparatif|comparer|tarifs|formules'),
  },
  es: {
    asks: list('cómo|qué|por qué|cuándo|dónde|quién|quiénes|cuál|cuáles|cuánto|cuánta|cuántos|cuántas'),
    process: list('cómo hacer|paso a paso|pasos|guía|instalar|instalación|tutorial'),
    compares: list('vs|comparación|comparativa|comparar|precios|planes|tarifas'),
  },
  it: {
    asks: list("come|cosa|che cosa|cos'è|perché|quando|dove|chi|quale|quali|quanto|quanta|quanti|quante"),
    process: list('come fare|passo passo|passo dopo passo|passaggi|guida|installare|installazione'),
    compares: list('vs|confronto|confrontare|prezzi|piani|tariffe|listino'),
  },
  pt: {
    asks: list('como|o que|por que|por quê|porquê|quando|onde|quem|qual|quais|quanto|quanta|quantos|quantas'),
    process: list('como fazer|passo a passo|passos|guia|instalar|instalação|tutorial'),
    compares: list('vs|comparação|comparar|comparativo|preços|planos'),
  },
  nl: {
    asks: list('hoe|wat|waarom|wanneer|waar|wie|welke|welk|hoeveel|waarmee'),
    process: list('stap voor stap|stappen|stappenplan|handleiding|installeren|installatie'),
    compares: list('vs|vergelijk|vergelijken|vergelijking|prijzen|tarieven|abonnementen'),
  },
  ru: {
    asks: list('как|что|почему|когда|где|кто|какой|какая|какое|какие|сколько|зачем|куда|откуда'),
    process: list('как сделать|инструкция|пошаговая инструкция|шаги|руководство|установка|установить'),
    compares: list('vs|сравнение|сравнить|цены|тарифы'),
  },
  zh: {
    asks: list('什么|怎么|怎样|如何|为什么|为何|哪|谁|几|多少|是否|何时|什麼|怎麼|怎樣|為什麼|為何|誰|幾|何時'),
    process: list('步骤|教程|指南|安装|如何|步驟|安裝'),
    compares: list('对比|比较|价格|定价|套餐|對比|比較|價格|定價'),
  },
  ja: {
    asks: list('なぜ|どう|どこ|どれ|どの|どんな|何|なに|いつ|誰|だれ|いくら'),
    process: list('手順|方法|ガイド|インストール|使い方|やり方'),
    compares: list('比較|料金|価格|プラン'),
  },
  ko: {
    asks: list('어떻게|무엇|뭐|왜|언제|어디|누가|누구|어떤|얼마|몇'),
    process: list('방법|단계|가이드|설치|설명서'),
    compares: list('비교|요금|가격'),
  },
  ar: {
    asks: list('كيف|ماذا|لماذا|متى|أين|ما|هل|كم|أي'),
    process: list('كيفية|خطوات|دليل|تثبيت'),
    compares: list('مقارنة|الأسعار|أسعار|الخطط'),
  },
};

/** Languages whose words take no spaces between them, or take endings: a word counts as the beginning of a longer one. */
export const UNBOUNDED_LANGUAGES: ReadonlySet<string> = new Set(['zh', 'ja', 'ko']);
