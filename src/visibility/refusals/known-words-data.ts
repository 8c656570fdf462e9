import { type PromptLanguage } from '../prompts/prompt-set.ts';

const splitWords = (words: string): readonly string[] => words.trim().split(/\s+/);

/**
 * Stems of words, without accents, that talk about any market has with a capital: nouns of German, and what sentences open
 * with. A word that begins with one names nothing. Written by hand; whatever is not here may be a name.
 */
export const plainStems: Readonly<Record<Exclude<PromptLanguage, 'ja'>, readonly string[]>> = {
  en: splitWords(`
    oops whoops hmm connection session access failed timeout network usage limit loading untitled thinking exploring discovering learning comparing browsing several
    january february march april june july august september october november december monday tuesday wednesday thursday
    friday saturday sunday english google chatgpt openai anthropic gemini claude american british european page error http
    server request internal bad gateway cloudflare javascript choosing finding selecting navigating picking deciding
    whether whatever however remember note disclaimer warning content feature pro plus premium free today everyone every
    whichever ultimately having looking buying getting understanding rates prices things people users customers answer
    section title description product link image lorem integer praesent`),
  de: splitWords(`
    abonn absatz abschnitt adresse alltag alter ander anbieter anfang anforderung anfrage angabe angebot anliegen anspruch ansprech
    antwort anweisung anwendung anzahl art artikel assistent assistentin aufgabe augenblick auskunft auswahl bedarf bedingung
    bedurfnis beginn beispiel beitrag benutzer beratung bereich betrag bewertung beziehung bild bitte blick branche browser
    budget code daten datum details deutsch dienst ding e-mail echtzeit eigenschaft einblick einfuhrung einnahme einsatz
    einschatzung element empfehlung ende entscheidung entwicklung erfahrung ergebnis erklarung experte expertin faktor fall
    fehler fenster folge form frage freude funktion gedanke gefahr gegenstand geld gerat geschaft geschmack gesetz
    gesprach gesundheit gewahr grenz grosse grund gut haftung hand haus herausforderung herz hersteller hilfe hinweis idee
    information inhalt internet jahr januar februar marz april mai juni juli august september oktober november dezember jugend
    kategorie kauf kenntnis kind klick konto kontext konkurrenz kopf kosten kriteri kund laufzeit leben lebens
    leser leistung leute liebling limit linie liste losung markt marke meinung mensch merkmal methode minute mitarbeiter mitbewerber
    modell moglichkeit moment monat montag nachfrage nachricht nachteil name netzwerk neutralitat nutzer nutzung oberflache option
    ort partei person plan platz position praxis preis problem produkt profi programm projekt punkt qual qualitat quelle rahmen rat
    ratgeber raum recherche recht regel region reihe richtlinie risik rolle sache schluss schritt seite sekunde server sicherheit
    sicht sinn situation sitzung smartphone software sorge sprache sprachmodell stadt startseite stelle steuerung stil stuck
    stunde suche suchbegriff suchmaschine system tag tarif tatsache team technik teil teilnehmer text thema themen tipp titel
    tool typ uberblick ubersicht uhr umgebung umgang umstand umstande unternehmen unterschied unterstutzung update urteil user vergleich
    verantwortung verbindung verbraucher verfugung verhalten verkaufer version verstandnis versuch vertrag vertrauen vielfalt vielzahl
    vorgabe vorgang vorhaben vorliebe vorschlag vorteil wahl ware weg weise welt werbung wert wettbewerb wichtig wissen woche
    wohl wort wunder wunsch zahl zeichen zeit ziel zugang zugriff zukunft zusammenhang zweck platzhalter konkret individuell
    abend grus hochzeit geduld interesse web chat
    lorem viele zahlreiche naturlich bei beim fur wenn falls egal ob jede jeder jedes gerade`),
  fr: splitWords(`
    oups oops echec delai impossible temps connexion session acces trop comparatif parmi decouvrir naviguer
    janvier fevrier avril juillet septembre octobre novembre decembre google chatgpt openai page erreur serveur francais
    chaque trouver choisir certains certaines beaucoup difficile comparer selectionner savoir vouloir avant apres face
    grace afin lors quoi rien il elle section titre description produit lien image lorem integer praesent`),
  es: splitWords(`
    has oops fallo sesion acceso limite tiempo conexion alcanzaste superaste intentalo demasiadas escribe pulsa encontrar descubrir
    enero febrero marzo abril junio julio septiembre octubre noviembre diciembre google chatgpt openai pagina error servidor
    encontrar elegir escoger seleccionar comparar cada existen hay muchas muchos seccion titulo descripcion producto enlace
    imagen lorem vuelve volver ver`),
  pt: splitWords(`
    acesso sessao tempo falha conexao excedeu atingiu oops clique digite descobrir encontre
    janeiro fevereiro marco abril junho julho setembro outubro novembro dezembro google chatgpt openai pagina erro servidor
    encontrar escolher selecionar comparar cada existem ha muitas muitos secao titulo descricao produto link imagem lorem`),
  it: splitWords(`
    hai sessione accesso tempo impossibile connessione troppe raggiunto oops clicca scoprire
    gennaio febbraio marzo aprile maggio giugno luglio settembre ottobre novembre dicembre google chatgpt openai pagina errore
    server trovare scegliere selezionare confrontare ogni esistono molte molti sezione titolo descrizione prodotto link
    immagine lorem integer praesent`),
  nl: splitWords(`
    sessie toegang verbinding oeps limiet klik typ ontdekken
    januari februari maart april juni juli augustus september oktober november december google chatgpt openai pagina fout
    server vinden kiezen vergelijken ieder iedere elke veel vele er sectie titel omschrijving product link afbeelding lorem`),
};

/** Japanese words of talk, in kanji or katakana. */
export const japanesePlainWords: readonly string[] = splitWords(`
  選択肢 選択 初心者 情報 検討 質問 回答 商品 製品 会社 企業 業者 店舗 価格 料金 費用 予算 機能 特徴 種類 比較 人気 評判 評価 口コミ
  最新 最近 近年 最適 最高 自分 自身 皆様 皆さん 方法 目的 用途 条件 場合 場所 地域 希望 要望 必要 重要 大切 大事 参考 紹介 解説
  説明 案内 一覧 以下 以上 次回 今回 今後 今日 現在 時間 時期 時点 期間 理由 意見 判断 決定 注意 確認 利用 使用 購入 契約 検索 取得
  生成 処理 入力 出力 表示 更新 変更 設定 登録 接続 通信 画面 記事 本文 文章 内容 項目 見出 会話 相手 担当 対応 対象 範囲 制限
  上限 下限 回数 一度 再度 後日 少々 一切 一般 一般的 個人 個人差 人生 生活 日常 毎日 家族 子供 友人 状況 状態 環境 体調 体質 健康
  安全 安心 不安 心配 危険 問題 課題 原因 結果 効果 影響 責任 権利 法律 規則 規定 方針 中立 公平 立場 特定 複数 多数 無数 様々
  多様 非常 本当 実際 具体的 基本 基礎 重視 充実 徹底 満足 納得 後悔 失敗 成功 魅力 豊富 注目 話題 時代 世代 若者 男性 女性 人間
  時点 知識 学習 言語 人工知能 専門家 専門 医師 薬剤師 弁護士 税理士 窓口 公式 市場 業界 分野 世界 全国 各社 各種 他社 自社 当社
  弊社 本記事 本日 昨今 昨年 今年 来年 私自身 個別 詳細 正確 最終 最初 最後 順番 順位 上位 下記 上記 別途 同様 当然 残念 失礼
  申 恐縮 迷惑 承知 了承 理解 感謝 歓迎 祝福 結婚 有料 無料 混雑 集中 発生 停止 終了 開始 完了 期限切 期限 権限 拒否 再試行 不具合
  サービス メーカー ブランド ポイント ニーズ ライフスタイル スタイル タイプ メリット デメリット コスト サポート ランキング アイテム
  エラー サーバー ページ リクエスト アクセス ログイン セッション タイムアウト メンテナンス ネットワーク システム プラン アップグレード
  ブラウザ ブラウザー リロード トップ トップページ インターネット リアルタイム アシスタント プロンプト テキスト タイトル サンプル
  ダミー ダミーテキスト メッセージ ユーザー アカウント データ モデル チャット チャットボット ルール ボット ガイド ガイドライン
  ポリシー アドバイス コメント カテゴリ カテゴリー デザイン クオリティ バランス シーン イメージ チェック お客様 場 方 人 数 店
  株式 株式会社 丁寧 開示 視点 日々 助言 構成 提供 言及 法的 保証 部屋 変化 考え 優劣 関心 意味 存在 先生 大変 便利 手伝 具体 思考 全体 部分 相談 最寄 近所 周辺 各自 双方 両者 両社 両方 前後 代表 有名 定番 王道 急増 増加 減少 拡大 競争 特色 個性 価値 価値観 好み 趣味 悩み 疑問 質 量 点 面 幅 実績 信頼 信頼性 経験 体験 感想 意向 事情 都合 背景 観点 基準 要素 要因 手順 手段 手間 早速 是非 万人 絶対 唯一 正解 答え 道 第一歩
  電話 携帯
  メートル キロ キロメートル センチ グラム`);
