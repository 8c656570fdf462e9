const list = (text: string): readonly string[] => text.split('|');

/** Link texts that name no target, in twelve languages, as `linkText` spells them. */
export const GENERIC_LINK_TEXTS: ReadonlySet<string> = new Set([
  ...list(
    'click here|click|click this|here|right here|read more|read|read on|more|more info|more information|learn more|find out more|see more|view more|view|details|' +
      'more details|information|info|link|this|this page|this link|go|start|continue|continue reading|next|discover|discover more|show more',
  ),
  ...list(
    'hier|hier klicken|klicken sie hier|klick hier|mehr|mehr erfahren|mehr lesen|weiterlesen|mehr infos|mehr informationen|weitere informationen|weiter|' +
      'jetzt lesen|dieser link|zum artikel|mehr dazu|mehr anzeigen',
  ),
  ...list(
    "ici|cliquez ici|cliquer ici|cliquez|en savoir plus|lire la suite|lire plus|lire|plus|plus d'infos|plus d'informations|suite|la suite|voir plus|voir|lien|" +
      'ce lien|découvrir|découvrez|détails',
  ),
  ...list(
    'aquí|aqui|haz clic aquí|haga clic aquí|clic aquí|click aquí|pincha aquí|más|mas|leer más|leer|seguir leyendo|ver más|ver|más información|más info|saber más|' +
      'enlace|este enlace|detalles|continuar',
  ),
  ...list(
    'qui|clicca qui|clicca|leggi|leggi di più|leggi tutto|continua|continua a leggere|scopri|scopri di più|altro|di più|vai|maggiori informazioni|dettagli|vedi',
  ),
  ...list(
    'clique aqui|clique|saiba mais|leia mais|leia|ler mais|mais|mais informações|mais informação|ver mais|veja mais|continue lendo|ir|detalhes',
  ),
  ...list(
    'klik hier|klik|lees meer|lees verder|verder lezen|meer|meer lezen|meer informatie|meer info|bekijk|bekijk meer|ontdek|ontdek meer|ga verder',
  ),
  ...list(
    'здесь|тут|сюда|нажмите здесь|нажмите|подробнее|читать далее|читать дальше|читать|далее|ещё|еще|больше|узнать больше|ссылка|смотреть',
  ),
  ...list(
    '点击这里|点击此处|点击|这里|此处|更多|查看更多|阅读更多|阅读全文|了解更多|详情|查看详情|链接|點擊這裡|點此|這裡|更多資訊|閱讀更多|了解更多資訊|連結',
  ),
  ...list(
    'ここ|こちら|ここをクリック|こちらをクリック|クリック|リンク|続きを読む|続く|もっと見る|もっと読む|詳細|詳しく|詳しくはこちら|詳細はこちら|全文表示|次へ',
  ),
  ...list('여기|여기를 클릭|클릭|링크|자세히|자세히 보기|더보기|더 보기|더 알아보기|계속|계속 읽기|이동|전체 보기'),
  ...list('هنا|اضغط هنا|انقر هنا|اقرأ المزيد|المزيد|للمزيد|رابط|تفاصيل|التفاصيل|اعرف المزيد'),
]);

/** How links to a page of some purpose are named. */
export type LinkWords = {
  /** Beginnings of link texts, whole words. */
  begins: readonly string[];
  /** Whole link texts: as the beginning of a longer text they mean other things. */
  exact: readonly string[];
  /** Last segments of paths, without a file ending. */
  segments: readonly string[];
};

export const LINK_WORDS = {
  privacy: {
    begins: list(
      'privacy|your privacy|datenschutz|datenschutzerklärung|confidentialité|politique de confidentialité|vie privée|privacidad|política de privacidad|aviso de privacidad|' +
        'informativa|privacidade|política de privacidade|privacybeleid|privacyverklaring|политика конфиденциальности|конфиденциальность|隐私|隱私|プライバシー|個人情報|개인정보|سياسة الخصوصية|الخصوصية',
    ),
    exact: list('rgpd|gdpr|dsgvo'),
    segments: list(
      'privacy|privacy-policy|privacypolicy|privacy_policy|privacy-notice|datenschutz|datenschutzerklaerung|datenschutzerklarung|confidentialite|politique-de-confidentialite|' +
        'privacidad|politica-de-privacidad|informativa-privacy|privacidade|politica-de-privacidade|privacybeleid|privacyverklaring|privacy-statement|privacy-verklaring',
    ),
  },
  terms: {
    begins: list(
      "terms|general terms|agb|nutzungsbedingungen|allgemeine geschäftsbedingungen|cgu|cgv|conditions générales|conditions d'utilisation|mentions légales|términos|" +
        'condiciones|aviso legal|termini|condizioni|termos|condições|algemene voorwaarden|gebruiksvoorwaarden|voorwaarden|условия|пользовательское соглашение|服务条款|使用条款|条款|服務條款|利用規約|規約|이용약관|약관|الشروط|شروط',
    ),
    exact: list('legal|conditions'),
    segments: list(
      'terms|terms-of-service|terms-of-use|terms-and-conditions|terms-conditions|termsofservice|tos|agb|nutzungsbedingungen|cgu|cgv|conditions-generales|mentions-legales|' +
        'terminos|terminos-y-condiciones|aviso-legal|termini|termini-e-condizioni|condizioni|termos|termos-de-uso|algemene-voorwaarden|voorwaarden|legal',
    ),
  },
} as const satisfies Record<string, LinkWords>;
