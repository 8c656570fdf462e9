/** Verbs and phrases by which texts say who speaks, one expression for each language; each between word boundaries. */
export const SPEECH: readonly string[] = [
  // English
  "(?<!would\\shave\\s)said|says|(?<!(?:to|not|n[’']t|can|could|would|should|might|must|may)\\s)say|saying|(?<!(?:[’']m|am|was|were|been)\\s)told|tells|(?<=(?:^|[”\"])\\s(?:\\p{L}{1,20}\\s){1,3})share[sd] with|wrote|writes|written|according to|explain(?:s|ed)|not(?:es|ed)|add(?:s|ed)(?!\\s(?:them|it|an?|the|to|up|more|new|another|some)(?!\\p{L}))|argue[sd]|stated|states(?=[,:]|\\sthat)|commented|recall(?:s|ed)|report(?:s|ed)|cite[sd]?|source:|tweeted|posted|announced|warn(?:s|ed)|insist(?:s|ed)|conclude[sd]|ask(?:s|ed)|repl(?:ies|ied)|admit(?:s|ted)|believes|claims|claimed|suggest(?:s|ed)|describe[sd]|point(?:s|ed) out|remark(?:s|ed)|quoted|statement|in an? (?:interview|e-?mail)|the (?:report|study|statement) (?:reads|finds|found)",
  // Spanish
  'dijo|dice|según|afirm[aó]|explic[aó]|escribió|escribe|señal[aó]|fuente:|asegur[aó]|declar[aó]|manifestó|coment[aó]|indic[aó]|sostuvo|sostiene|advirtió|agreg[aó]|expresó|apunt[aó]|añadió|relat[aó]|cuenta|subray[aó]|reconoció|respondió|dijeron|afirmaron|explicaron|señalaron|aseguraron|declararon|indicaron',
  // French
  "selon(?!\\squ)|déclare|a déclaré|explique|affirme|dit|écrit|d'après|d’après|source ?:|confie|estime|(?<!s[’'])ajoute|souligne|assure|raconte|précise|rappelle|indique|insiste|lance|commente|déclarent|expliquent|affirment|disent|écrivent|estiment|(?<!s[’'])ajoutent|soulignent|assurent|racontent|précisent|rappellent|indiquent",
  // German
  'sagt|sagte|sagten|laut|nach (?:eigenen )?angaben|melde(?:t|te|ten)|schreiben|betonen|erklär(?:t|te|en)|zufolge|schreibt|schrieb|beton(?:t|te)|quelle:|mein(?:t|te)|berichte(?:t|te)|(?<=(?:^|[“”"«»]),\\s)findet|kritisier(?:t|te)|unterstreich(?:t)|warn(?:t|te)|forder(?:t|te)|kommentier(?:t|te)|heißt es|hieß es|heisst es|fügt(?:e)? (?:er|sie|hinzu)|ergänz(?:t|te)|erläuter(?:t|te)|äußer(?:t|te)|so der|so die|begründe(?:t|te)|versicher(?:t|te)|zitier(?:t|te)|resümier(?:t|te)|stell(?:t|te) fest|teil(?:t|te) mit',
  // Italian
  'secondo|afferma|ha detto|dichiara|ha dichiarato|spiega|scrive|fonte:|sottolinea|aggiunge|racconta|commenta',
  // Portuguese
  'segundo|disse|diz|afirma|afirmou|explica|explicou|escreveu|de acordo com|comenta|comentou|declarou|conta|contou|ressalta|destaca|acrescenta|falou',
  // Dutch
  'volgens|zegt|zei|aldus|schrijft|bron:|vertelt|stelt|voegt',
  // Russian
  'сказал[аи]?|по словам|заявил[аи]?|отметил[аи]?|пишет|говорит|рассказал[аи]?|подчеркнул[аи]?|считает|добавил[аи]?|объяснил[аи]?',
  // Polish
  'mówi|powiedział[ao]?|twierdzi|napisał[ao]?|zdaniem|podkreśla|dodaje|ocenia|wyjaśnia|według|zaznacza|przyznaje|pisze|stwierdził[ao]?',
  // Swedish, Danish, Norwegian
  'säger|sade|skriver|siger|sagde|sier|forteller|enligt|ifølge|menar|mener',
  // Turkish, Czech
  'dedi|söyledi|açıkladı|belirtti|řekl[a]?|uvedl[a]?|dodal[a]?|podle',
];

/** The same in scripts without word boundaries of their own. */
export const SPEECH_UNSPACED =
  '表示|指出|认为|認為|说道?|說|称|によると|と述べ|と語|は話す|と話|말했|밝혔|에 따르면|전했|وفقا|بحسب|قال';

/** What stands before a sentence that is made up to show something. */
export const EXAMPLE_WORDS =
  'example|e\\.g\\.|along the lines of|something like|beispiel|exemple|ejemplo|esempio|exemplo|voorbeeld|exempel|przykład|например|例如?|예';
