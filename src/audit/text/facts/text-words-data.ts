/**
 * How a sentence opens when its subject is somewhere else, per language; each matches at the start. A demonstrative
 * counts only before a verb: "this lamp" names its subject, "this is" does not. Impersonal openings ("il y a", "es
 * gibt") are not references.
 */
export const DANGLING: Readonly<Record<string, string>> = {
  en:
    "(?:it|they|he|she)(?:['’](?:s|re|ve|ll|d))?(?!\\p{L})|that['’]s(?!\\p{L})|" +
    '(?:this|that|these|those)\\s(?:is|are|was|were|means?|can|will|would|could|should|may|might|must|has|have|had|does|do|did|makes?|' +
    'gives?|allows?|lets?|helps?|shows?|includes?|requires?|works?|happens?|ensures?|leads?|also|often|usually|applies|depends|provides?)(?!\\p{L})',
  es:
    '(?:esto|eso|ello|ellos|ellas|aquello|él|ella)(?!\\p{L})|(?:este|esta|ese|esa|estos|estas|esos|esas)\\s(?:es|son|fue|era|puede|pueden|' +
    'permite|permiten|significa|tiene|tienen|hace|hacen|ofrece|incluye)(?!\\p{L})',
  fr:
    "(?:cela|ceci|ça|celui-ci|celle-ci|ceux-ci|celles-ci|ils|elles|elle)(?!\\p{L})|c['’](?:est|était)(?!\\p{L})|ce\\ssont(?!\\p{L})|" +
    "il\\s(?!y\\sa|faut|existe|s['’]agit|est\\s(?:important|possible|nécessaire|recommandé|conseillé|préférable))",
  de:
    'er(?!\\p{L})|sie\\s(?:ist|war|hat|wird|kann)(?!\\p{L})|dies(?!\\p{L})|das\\s(?:ist|sind|war|bedeutet|heißt|kann|wird|hat|macht|gilt)(?!\\p{L})|' +
    '(?:dieser|diese|dieses)\\s(?:ist|sind|war|waren|hat|haben|wird|werden|kann|können)(?!\\p{L})|' +
    'es\\s(?!gibt|handelt|lohnt|kommt|geht|ist\\s(?:wichtig|möglich|nötig|sinnvoll|ratsam))',
  it:
    '(?:ciò|esso|essa|essi|esse|egli|lui|lei|loro)(?!\\p{L})|(?:questo|questa|quello|quella|questi|queste)\\s(?:è|sono|era|significa|può|possono|' +
    'permette|consente|ha|hanno|include|rende)(?!\\p{L})',
  pt:
    '(?:isto|isso|aquilo|ele|ela|eles|elas)(?!\\p{L})|(?:este|esta|esse|essa|estes|estas|esses|essas)\\s(?:é|são|foi|era|pode|podem|permite|' +
    'significa|tem|têm|inclui)(?!\\p{L})',
  nl:
    '(?:hij|zij|ze)(?!\\p{L})|(?:dit|dat|deze|die|het)\\s(?:is|zijn|was|waren|betekent|kan|kunnen|heeft|hebben|wordt|worden|zorgt|maakt|' +
    'geldt|werkt)(?!\\p{L})',
  ru: '(?:он|она|оно|они|это)(?!\\p{L})',
  zh: '它|他们|她们|他|她|这是|这些是|这意味|这样|这会|这使|这可以|那是|這是|這些是|這意味',
  ja: 'これ(?:は|が|ら|に|を|で)|それ(?:は|が|ら|に|を)|彼(?:は|女|ら)',
  ko: '이것|그것|저것|이는|그는|그녀|그들|이들은',
  ar: '(?:هذا|هذه|ذلك|تلك)\\s(?:هو|هي|يعني|يمكن|يتيح|ما)(?!\\p{L})|(?:هو|هي|هم|إنه|إنها|إنهم)(?!\\p{L})',
};

/** What a heading over a summary says, in the same twelve languages. */
export const SUMMARY_WORDS =
  'summary|tl;?dr|key takeaways?|key points|key facts|key findings|takeaways|highlights|in short|in brief|at a glance|bottom line|short answer|' +
  "resumen|puntos clave|datos clave|en breve|de un vistazo|lo esencial|résumé|en bref|points clés|l['’]essentiel|à retenir|en un coup d['’]œil|" +
  'zusammenfassung|kurz gesagt|in kürze|auf einen blick|das wichtigste|kernaussagen|kurzfassung|kurz und knapp|' +
  'riepilogo|riassunto|in sintesi|in breve|punti chiave|in poche parole|resumo|em síntese|pontos-chave|principais pontos|principais conclusões|' +
  'samenvatting|kort samengevat|in het kort|belangrijkste punten|in één oogopslag|' +
  'кратко|коротко|резюме|краткое содержание|основные выводы|главное|вкратце|в двух словах|ملخص|الملخص|خلاصة|الخلاصة|باختصار|أهم النقاط|النقاط الرئيسية';

/** The same for scripts without spaces around words. */
export const SUMMARY_UNSPACED =
  '摘要|概要|总结|總結|要点|要點|重点|一览|简而言之|要約|まとめ|ポイント|一目でわかる|요약|한눈에|핵심 포인트';

/** Ids that authors give to such a block. */
export const SUMMARY_IDS =
  '(?:article|page|post|exec|executive)?[-_]?(?:summary|tl-?dr|(?:key[-_]?)?takeaways|key[-_]?(?:points|facts)|in-short|at-a-glance|' +
  'zusammenfassung|resumen|resume|riassunto|riepilogo|resumo|samenvatting)';

/** What a heading over the words of a recording says. */
export const TRANSCRIPT_WORDS =
  'transcripts?|transcription|full text of the (?:video|recording)|transkript|mitschrift|abschrift|transcription|retranscription|transcripción|' +
  'trascrizione|transcrição|transcriptie|расшифровка|транскрипт|стенограмма|نص الفيديو|النص الكامل|文字稿|文字记录|逐字稿|文字起こし|書き起こし|녹취록|대본|스크립트';
