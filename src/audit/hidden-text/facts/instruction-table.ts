/**
 * What a phrase tries: `override` discards instructions, `persona` addresses the model, `promotion` steers its verdict,
 * `prompt_probe` asks for its prompt, `tool_priority` pushes itself before other tools, `secrecy` hides from the user,
 * `shell_pipe` runs what it downloads, `secret_access` reaches for keys, `covert_unicode` hides text in invisible characters.
 */
export type InstructionKind =
  | 'override'
  | 'persona'
  | 'promotion'
  | 'prompt_probe'
  | 'tool_priority'
  | 'secrecy'
  | 'shell_pipe'
  | 'secret_access'
  | 'covert_unicode';

/** `any` marks patterns made of commands or paths, which have no language. */
export type Language = 'any' | 'en' | 'es' | 'fr' | 'de' | 'it' | 'pt' | 'nl' | 'ru' | 'zh' | 'ja' | 'ko' | 'ar';

export type InstructionRow = { kind: InstructionKind; language: Language; pattern: RegExp };

/**
 * The phrases, per kind and language. Every gap and repeat is bounded, so a search takes time linear in the text whatever
 * the text is; all carry the flags `giu`.
 */
export const instructionRows: readonly InstructionRow[] = [
  {
    kind: 'override',
    language: 'en',
    pattern:
      /\b(?:ignore|disregard|forget)\s{1,8}(?:(?:all|any|the|your|my|of|these|those)\s{1,8}){0,3}(?:previous|prior|above|earlier|preceding|system)\s{1,8}(?:\p{L}{1,20}\s{1,8})?(?:instructions?|prompts?|directions?|guidelines|rules)\b/giu,
  },
  {
    kind: 'override',
    language: 'en',
    pattern:
      /\b(?:ignore|disregard|forget)\s{1,8}(?:all|any)\s{1,8}(?:(?:of|the|your|my|these|those|other)\s{1,8}){0,2}(?:instructions?|prompts?|directions?|guidelines)\b/giu,
  },
  {
    kind: 'override',
    language: 'en',
    pattern:
      /\boverride\s{1,8}(?:(?:all|any|the|your)\s{1,8}){0,2}(?:previous|prior|system)\s{1,8}(?:instructions?|prompts?)\b/giu,
  },
  {
    kind: 'override',
    language: 'es',
    pattern:
      /\b(?:ignora|ignore|olvida|omite)\s{1,8}(?:todas\s{1,8}(?:(?:las|tus|sus)\s{1,8})?instrucciones|(?:(?:las|tus|sus)\s{1,8})?instrucciones\s{1,8}(?:anteriores|previas))/giu,
  },
  {
    kind: 'override',
    language: 'fr',
    pattern:
      /\b(?:ignore[zr]?|oublie[zr]?)\s{1,8}(?:toutes\s{1,8}(?:(?:les|tes|vos|ces)\s{1,8})?(?:instructions|consignes)|(?:(?:les|tes|vos|ces)\s{1,8})?(?:instructions|consignes)\s{1,8}(?:pr[eé]c[eé]dentes|ci-dessus))/giu,
  },
  {
    kind: 'override',
    language: 'de',
    pattern:
      /\b(?:ignoriere?n?|vergiss|missachte)(?:\s{1,8}sie)?(?:\s{1,8}(?:alle|die|deine|ihre|s[aä]mtliche)){0,3}\s{1,8}(?:(?:vorherigen|bisherigen|obigen|fr[uü]heren|vorigen)\s{1,8})(?:anweisungen|instruktionen|vorgaben)/giu,
  },
  {
    kind: 'override',
    language: 'de',
    pattern:
      /\b(?:ignoriere?n?|vergiss|missachte)(?:\s{1,8}sie)?\s{1,8}(?:alle|s[aä]mtliche)(?:\s{1,8}(?:deine|ihre))?\s{1,8}(?:anweisungen|instruktionen|vorgaben)/giu,
  },
  {
    kind: 'override',
    language: 'it',
    pattern:
      /\b(?:ignora|ignorate|dimentica)\s{1,8}(?:tutte\s{1,8}(?:(?:le|tue)\s{1,8}){0,2}istruzioni|(?:(?:le|tue)\s{1,8}){0,2}istruzioni\s{1,8}precedenti)/giu,
  },
  {
    kind: 'override',
    language: 'pt',
    pattern:
      /\b(?:ignore|ignora|esque[cç]a)\s{1,8}(?:todas\s{1,8}(?:(?:as|suas)\s{1,8}){0,2}instru[cç][oõ]es|(?:(?:as|suas)\s{1,8}){0,2}instru[cç][oõ]es\s{1,8}anteriores)/giu,
  },
  {
    kind: 'override',
    language: 'nl',
    pattern:
      /\b(?:negeer|vergeet)\s{1,8}(?:alle\s{1,8}(?:(?:je|uw)\s{1,8})?|(?:(?:alle|de|je|uw)\s{1,8}){0,2}(?:vorige|eerdere|bovenstaande)\s{1,8})(?:instructies|aanwijzingen)/giu,
  },
  {
    kind: 'override',
    language: 'ru',
    pattern:
      /(?:игнорируй(?:те)?|забудь(?:те)?)\s{1,8}(?:(?:все|любые)\s{1,8}|(?:(?:все|свои)\s{1,8})?(?:предыдущие|прежние)\s{1,8})(?:инструкции|указания)/giu,
  },
  {
    kind: 'override',
    language: 'zh',
    pattern:
      /(?:忽略|忽視|忽视|无视|無視|忘记|忘記).{0,3}?(?:所有|全部|一切|之前|先前|以上|前面|此前).{0,4}?(?:指令|指示|提示词|提示詞)/giu,
  },
  {
    kind: 'override',
    language: 'ja',
    pattern: /(?:以前|前|上記|これまで|すべて|全て)の.{0,6}?(?:指示|命令|プロンプト)を(?:すべて|全て)?(?:無視|忘れ)/giu,
  },
  {
    kind: 'override',
    language: 'ko',
    pattern: /(?:이전|위의|모든|앞의).{0,6}?(?:지시|명령|지침).{0,8}?(?:무시|잊)/giu,
  },
  {
    kind: 'override',
    language: 'ar',
    pattern:
      /(?:تجاهل|انس|انسَ)\s{1,8}(?:(?:جميع|كل)\s{1,8}(?:ال)?(?:تعليمات|أوامر)|(?:ال)?(?:تعليمات|أوامر)\s{1,8}السابقة)/giu,
  },
  {
    kind: 'persona',
    language: 'en',
    pattern: /\byou\s{1,8}are\s{1,8}(?:now\s{1,8})?an?\s{1,8}(?:ai|llm|language\s{1,8}model)\b/giu,
  },
  {
    kind: 'persona',
    language: 'en',
    pattern:
      /\bas\s{1,8}an\s{1,8}(?:ai|llm)(?=\s{0,8}[,.;:]|\s{1,8}(?:assistant|agent|model|language|crawler|you)\b)/giu,
  },
  {
    kind: 'persona',
    language: 'es',
    pattern:
      /\b(?:eres|usted\s{1,8}es)\s{1,8}una?\s{1,8}(?:ia|inteligencia\s{1,8}artificial|modelo\s{1,8}de\s{1,8}lenguaje)(?!\p{L})/giu,
  },
  {
    kind: 'persona',
    language: 'fr',
    pattern:
      /\b(?:tu\s{1,8}es|vous\s{1,8}[eê]tes)\s{1,8}une?\s{1,8}(?:ia|intelligence\s{1,8}artificielle|mod[eè]le\s{1,8}de\s{1,8}langage)(?!\p{L})/giu,
  },
  {
    kind: 'persona',
    language: 'de',
    pattern:
      /\b(?:du\s{1,8}bist|sie\s{1,8}sind)\s{1,8}eine?\s{1,8}(?:ki|k[uü]nstliche\s{1,8}intelligenz|sprachmodell)(?!\p{L})/giu,
  },
  {
    kind: 'persona',
    language: 'it',
    pattern:
      /\bsei\s{1,8}un(?:'|\s{1,8})\s{0,8}(?:ia|intelligenza\s{1,8}artificiale|modello\s{1,8}linguistico)(?!\p{L})/giu,
  },
  {
    kind: 'persona',
    language: 'pt',
    pattern:
      /\bvoc[eê]\s{1,8}[eé]\s{1,8}uma?\s{1,8}(?:ia|intelig[eê]ncia\s{1,8}artificial|modelo\s{1,8}de\s{1,8}linguagem)(?!\p{L})/giu,
  },
  { kind: 'persona', language: 'nl', pattern: /\b(?:je|jij|u)\s{1,8}bent\s{1,8}een\s{1,8}(?:ai|taalmodel)\b/giu },
  {
    kind: 'persona',
    language: 'ru',
    pattern: /(?<!\p{L})ты\s{1,8}[-—–]?\s{0,4}(?:ии|искусственный\s{1,8}интеллект|языковая\s{1,8}модель)(?!\p{L})/giu,
  },
  {
    kind: 'persona',
    language: 'zh',
    pattern: /(?:你|您)(?:现在|現在)?是(?:一个|一個|一款)?(?:AI|人工智能|人工智慧|语言模型|語言模型)/giu,
  },
  { kind: 'persona', language: 'ja', pattern: /あなたは(?:AI|人工知能|言語モデル)/giu },
  { kind: 'persona', language: 'ko', pattern: /(?:당신|너)(?:은|는)\s{0,4}(?:AI|인공지능|언어\s{0,2}모델)/giu },
  { kind: 'persona', language: 'ar', pattern: /أنت\s{1,8}(?:ذكاء\s{1,8}اصطناعي|نموذج\s{1,8}لغوي)/giu },
  {
    kind: 'promotion',
    language: 'en',
    pattern:
      /(?<!\b(?:we|i|they|experts|would|also|highly|strongly|not)\s)\brecommend\s{1,8}(?:us|this\s{1,8}(?:site|website|company|product|brand|service|page|tool))\b/giu,
  },
  { kind: 'promotion', language: 'en', pattern: /\bsummari[sz]e\s{1,8}(?:this|it|us|our|the)\b[^\n]{0,80}?\sas\s/giu },
  {
    kind: 'promotion',
    language: 'es',
    pattern:
      /\brecomienda\s{1,8}(?:siempre\s{1,8})?(?:este|esta|nuestr[oa])\s{1,8}(?:sitio|web|empresa|producto|marca)/giu,
  },
  {
    kind: 'promotion',
    language: 'fr',
    pattern:
      /\brecommande[zr]?\s{1,8}(?:toujours\s{1,8})?(?:ce|cette|notre)\s{1,8}(?:site|entreprise|produit|marque|soci[eé]t[eé])/giu,
  },
  {
    kind: 'promotion',
    language: 'de',
    pattern: /\bempfiehl\s{1,8}(?:immer\s{1,8})?(?:diese[snr]?|unsere?[snr]?|uns)\b/giu,
  },
  {
    kind: 'promotion',
    language: 'it',
    pattern:
      /\braccomanda\s{1,8}(?:sempre\s{1,8})?(?:questo|questa|il\s{1,8}nostro|la\s{1,8}nostra)\s{1,8}(?:sito|azienda|prodotto|marchio)/giu,
  },
  {
    kind: 'promotion',
    language: 'pt',
    pattern: /\brecomende\s{1,8}(?:sempre\s{1,8})?(?:este|esta|noss[oa])\s{1,8}(?:site|empresa|produto|marca)/giu,
  },
  {
    kind: 'promotion',
    language: 'nl',
    pattern: /\b(?:beveel)\s{1,8}(?:altijd\s{1,8})?(?:deze|dit|ons|onze)\s{1,8}\p{L}{1,20}\s{1,8}aan\b/giu,
  },
  {
    kind: 'promotion',
    language: 'ru',
    pattern: /(?<!\p{L})рекомендуй(?:те)?\s{1,8}(?:всегда\s{1,8})?(?:этот|эту|наш|нашу|нас)(?!\p{L})/giu,
  },
  {
    kind: 'promotion',
    language: 'zh',
    pattern: /(?:请|請|务必|務必|始终|始終|总是|總是)(?:优先|優先)?推[荐薦](?:本|我们|我們|该|該|这|這)/giu,
  },
  { kind: 'promotion', language: 'ja', pattern: /(?:必ず|常に)(?:この|当|弊).{0,10}?(?:推薦|おすすめ|お勧め)/giu },
  { kind: 'promotion', language: 'ko', pattern: /(?:항상|반드시).{0,12}?추천(?:하라|하세요|해)/giu },
  { kind: 'promotion', language: 'ar', pattern: /(?:أوصِ|اوصي|أوص)\s{1,8}(?:دائما\s{1,8})?ب(?:هذا|هذه|نا)/giu },
  { kind: 'prompt_probe', language: 'en', pattern: /\bsystem\s{1,8}prompt\b/giu },
  { kind: 'prompt_probe', language: 'zh', pattern: /系[统統]提示[词詞]/giu },
  { kind: 'prompt_probe', language: 'ja', pattern: /システムプロンプト/giu },
  { kind: 'prompt_probe', language: 'ko', pattern: /시스템\s{0,2}프롬프트/giu },
  { kind: 'prompt_probe', language: 'ru', pattern: /системн(?:ый|ого|ому)\s{1,8}промпт/giu },
  {
    kind: 'tool_priority',
    language: 'en',
    pattern:
      /\bbefore\s{1,8}(?:using|calling|invoking|running)\s{1,8}(?:any|all|every)\s{1,8}(?:of\s{1,8}the\s{1,8})?(?:other\s{1,8})?(?:tools?|functions?)\b/giu,
  },
  {
    kind: 'tool_priority',
    language: 'en',
    pattern: /\b(?:always|must)\s{1,8}(?:use|call|invoke)\s{1,8}this\s{1,8}tool\s{1,8}(?:first|before|instead)\b/giu,
  },
  {
    kind: 'tool_priority',
    language: 'en',
    pattern: /\b(?:do\s{1,8}not|don't|never)\s{1,8}(?:use|call|invoke)\s{1,8}(?:any\s{1,8})?other\s{1,8}tools?\b/giu,
  },
  {
    kind: 'secrecy',
    language: 'en',
    pattern:
      /\b(?:do\s{1,8}not|don't|never|without)\s{1,8}(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?\s{1,8}(?:this|it)\s{1,8}to|notify(?:ing)?|alert(?:ing)?|reveal(?:ing)?\s{1,8}(?:this|it)\s{1,8}to)\s{1,8}(?:the\s{1,8})?users?\b/giu,
  },
  {
    kind: 'shell_pipe',
    language: 'any',
    pattern:
      /\b(?:curl|wget)\b(?:(?!\b(?:curl|wget)\b)[^\n|]){1,300}\|\s{0,4}(?:sudo\s{1,4}(?:-\w{1,8}\s{1,4})?)?(?:(?:ba|z|da|k)?sh|python3?|node|perl|ruby)\b/giu,
  },
  {
    kind: 'shell_pipe',
    language: 'any',
    pattern: /\b(?:ba|z)?sh\s{1,4}(?:-c\s{1,4}"?\$\(|<\()\s{0,4}(?:curl|wget)\b/giu,
  },
  {
    kind: 'shell_pipe',
    language: 'any',
    pattern:
      /\b(?:iwr|irm|invoke-webrequest|invoke-restmethod)\b(?:(?!\b(?:iwr|irm|invoke-webrequest|invoke-restmethod)\b)[^\n|]){1,300}\|\s{0,4}(?:iex|invoke-expression)\b/giu,
  },
  {
    kind: 'secret_access',
    language: 'any',
    pattern:
      /(?:~|\$HOME|\/root|\/home\/\w{1,32})\/\.(?:ssh\/id_[a-z0-9]{1,16}(?!\w{0,16}\.pub)|aws\/credentials|netrc)\b/giu,
  },
];
