/**
 * The same cues as in `recommending-data.ts` in Italian, Portuguese, Dutch and Japanese, and more of Spanish, German and English.
 * For folded lower-case text.
 */

/** Before the name: a warning. */
export const adviseAgainstMore =
  /(?<![a-z0-9])(?:sconsigli(?:o|erei|amo|ata|ati|ato)|evit(?:a|ate|erei|are|iamo|i) |(?:stai|state|starei|stare|sta) (?:[a-z]{2,8} )?(?:alla larga|lontan[oai]) da(?:l|lla|i|gli|lle)?|alla larga da(?:l|lla|i|gli|lle)?|lascia(?:te)? (?:perdere|stare)|non (?:[a-z]{1,8} )?(?:consiglio|consiglierei|raccomando|prendere|scegliere|comprare|usare|affidarti a|fidarti di)|diffida(?:te)? di|nao (?:[a-z]{1,5} )?(?:recomendo|recomendaria|indico|contrate|compre|use|escolha|assine|confie n[oa]|caia n[oa])|(?:fuja|fique longe|passe longe|mantenha distancia) d[eoa]s?|desaconselho|evite|begin niet aan|(?:blijf|houd afstand|blijf ver) (?:weg )?(?:bij|van)|vermijd|mijd|laat (?:[a-z]{2,8} )?links liggen|niet (?:kiezen|nemen|kopen) voor|ik zou niet (?:voor|met|bij)|(?:afrader|afgeraden|af te raden)[:]?|raad (?:ik )?(?:[a-z]{2,10} )?af|niet (?:bij|naar|met) (?:de )?|(?:mejor )?no (?:[a-z]{1,3} )?(?:contrates|contrate|compre|use|uses|vayas con|te fies de|firmes con)|huye de|huya de|cuidado con|ojo con|finger weg vo[mnr]|hande weg vo[mnr]|lass(?:t|en sie)? (?:[a-z]{2,8} )?die finger von|lieber nicht)(?![a-z])/gu;

/** Behind the name: a warning. */
export const advisedAgainstMore =
  /(?:は|を|だけは|のほうは|も|」は|』は)(?:[^。]{0,14})(?:おすすめしません|おすすめできません|お勧めしません|お勧めできません|勧めません|勧められません|避けて|避けるべき|避けたほう|避けた方|避けましょう|やめて|やめた(?:ほう|方)|使わないで|選ばないで|契約しないで|近づかない|手を出さない)|(?<![a-z0-9])(?:(?:da|va) evitat[aoi]|da evitare|sconsigliat[aoi]|(?:non (?:la|lo|li) )(?:consiglio|consiglierei|raccomando)|lascia(?:te)?l[oa] perdere|nao (?:vale a pena|e recomendad[ao]|recomendo|compensa)|deve ser evitad[ao]|e a que mais acumula (?:reclamacoes|queixas)|(?:is|zijn|wordt) (?:[a-z]{2,8} )?(?:af te raden|afgeraden|een afrader)|(?:kun|kan|zou) (?:je|ik) (?:[a-z]{2,8} )?(?:beter )?(?:mijden|vermijden|overslaan|afraden)|raad ik (?:[a-z]{2,8} )?af|lass(?:t|en)? (?:[a-z]{2,8} )?(?:[a-z]{2,8} )?(?:die finger|lieber)|davon wurde ich|die finger lassen|mejor evitar|no (?:es|son) (?:recomendable|fiable)s?|no (?:lo|la|los|las) (?:contrates|recomiendo|compres))(?![a-z])/gu;

/** Before the name: a recommendation. */
export const recommendsMore =
  /(?<![a-z0-9])(?:(?:ti |vi |le )?consigli(?:o|erei|amo)|raccomand(?:o|iamo|erei)|(?<!non )(?:scegli(?:erei|ete)?|prenderei|proverei|opterei per|andrei (?:su|da|con)|punterei su|punta(?:te)? su|opta(?:te)? per|prova(?:te)?|prenoterei (?:con|su|da)|rivolgiti a|affidati a|vai (?:su|da|con|di)|parti da|comincia con|dai un'occhiata a|merita(?:no)?(?: fiducia)?)|la (?:mia )?(?:prima )?scelta(?: migliore)?(?: e)?|il (?:mio )?(?:preferito|consiglio)(?: e)?|meglio(?! di| che)|recomendo|recomendaria|(?<!nao )(?:indico|sugiro|aconselho|escolha|escolheria|experimente|opte (?:por|pel[oa])|va de|va n[oa]|aposte n[oa]|comece (?:com|pel[oa])|comecaria (?:com|pel[oa])|fique com|ficaria com|prefira|preferiria|cadastre-se n[oa]|procure|use|usaria|contrate|contrataria|assine|iria (?:de|com))|(?:a )?minha (?:escolha|recomendacao|indicacao|dica)(?: e)?|melhor(?! (?:que|do que))|(?:kies|neem|probeer|pak|bekijk|gebruik|start met|begin met|begin bij|ga (?:je )?(?:voor|naar|met)|ga dan (?:voor|naar)|stap over naar)|(?:ik )?(?:zou|raad) (?:ik )?(?:[a-z]{2,10} ){0,3}(?:aan|kiezen voor|gaan voor|nemen)?|raad (?:ik )?(?:[a-z]{2,10} )?aan|aanrader(?: is)?[:]?|mijn (?:keuze|favoriet|voorkeur|tip)(?: is| gaat uit naar)?|aan te raden|i'd (?:search|check|look at|start at|book with|book through|try)|(?:yo )?(?:pillaria|tiraria (?:de|por)|cogeria|miraria|contrataria|me quedaria con|empezaria (?:con|por))|(?<!no )(?:contrata|prueba|quedate con|tira de|ve a por|echa un vistazo a)|no es ningun (?:disparate|error) [a-z]{3,12}|guck (?:mal |doch )?(?:bei)|schau (?:mal |doch )?(?:bei)|probier|nimm|greif zu|empfehlenswert(?: ist)?|je (?:prendrais|choisirais|regarderais|partirais sur)|regardez(?: du cote de)?|allez (?:chez|voir))(?![a-z])|(?:結論|迷ったら|迷うなら|おすすめは|お勧めは|一押しは|イチオシは|ならまず|まずは|選ぶなら|重視なら|で選ぶなら|十分なら)[:：、は]?「?『?/gu;

/** Behind the name: a recommendation. */
export const recommendedMore =
  /(?<![a-z0-9])(?:(?:e|resta|risulta|rimane|sarebbe) (?:[a-z]{1,10} ){0,3}(?:scelta|opzione|miglior[ei]?|consigliat[ao]|ideale|perfett[ao]|imbattibile|conveniente|soluzione|giusta)|merita(?:no)? (?:fiducia|una prova|un'occhiata|attenzione)|fa (?:[a-z]{1,8} )?al caso (?:tuo|vostro|suo)|(?<!non )vale la pena|vince(?! solo)|(?:e|continua sendo|segue sendo|seria) (?:[a-z]{1,10} ){0,3}(?:escolha|opcao|melhor|recomendad[ao]|ideal|perfeit[ao]|imbativel|certa)|vale a pena|compensa mais|sai na frente|ninguem se arrepende|(?:is|blijft|lijkt|zou) (?:[a-z]{1,10} ){0,4}(?:keuze|optie|aanrader|beste|ideaal|perfect|geschikt|aan te raden|prima)|raad ik (?:[a-z]{2,8} )?aan|past (?:[a-z]{2,10} ){0,2}(?:goed|het best)|wint(?!er)|(?:mit|con|met|with) [a-z]{2,12} (?:macht man|machst du|doe je|sbagli|erras) (?:wenig|nichts|niets|poco)|(?:nehmen|wahlen|kaufen)(?= ?[.!;,:]|\n)|sondern der (?:tipp|geheimtipp)|der tipp|(?:erst|est|c'est) (?:la|le) (?:bon|bonne) (?:choix|option)|je ne vois pas mieux|wins? (?:around|in|on|for)|has the better)(?![a-z])/gu;

/** The same in Japanese, straight behind it. */
export const recommendedInJapanese =
  /^[」』]?(?:が|を|は|で|も|のほうが|の方が|なら|あたりが|一択|から|ですね|でよい|でいい)[^。!?]{0,24}(?:おすすめ(?!し|でき)|お勧め(?!し|でき)|オススメ(?!し|でき)|勧めます|十分|最適|無難|安心|現実的な選択肢|向いて(?!い?ません|いない|ない)|ぴったり|一番|ベスト|しっくり|試して|選んで後悔|選べば間違い|間違いありません|良いでしょう|よいでしょう|いいでしょう|よいと思い|いいと思い|強いです|便利です|始めましょう|選びましょう|使いましょう|候補)|^[」』]?(?:ですね|一択|で決まり|がいい|がよい|が一番|で十分|が無難)/gu;

/** Right before the name: "not only Acme ..." praises. */
export const notOnly =
  /(?<![a-z0-9])(?:non seulement|pas seulement|nicht nur|not only|no solo|non solo|nao so|nao apenas|niet alleen) (?:[a-z]{1,6} |l'|d')?$/u;
/** The same behind it: "Acme n'est pas seulement ...". */
export const notOnlyBehind =
  /^ (?:[^.;!?]{0,24} )?(?:n'est pas seulement|ist nicht nur|bietet nicht nur|is not only|is not just|isn't just|no es solo|no solo|non e (?:solo|soltanto|solamente)|non (?:solo|soltanto)|nao (?:e )?(?:apenas|so|somente)|niet alleen|gaat het niet alleen)(?![a-z])/u;

/** The question that heads the answer: the one who asks wonders, and "you are not wrong to" says yes. */
export const noMistake =
  /(?<![a-z])(?:on ne se trompe pas|vous ne (?:risquez rien|le regretterez pas)|you (?:can't|won't|will not) (?:go wrong|regret)|no mistake|kein fehler|machst du nichts falsch|macht man (?:wenig|nichts) falsch|non (?:te ne pentirai|sbagli|e uno sbaglio)|no te (?:equivocas|arrepentiras)|no es ningun (?:error|disparate)|nao (?:tem erro|e erro|vai se arrepender)|ninguem se arrepende|geen (?:fout|vergissing|spijt)|doe je niets verkeerd)(?![a-z])|後悔することは(?:まず)?ありません|間違いありません|失敗はありません/u;

/** Titles that ask why a name is not the choice. */
export const whyNotHeading =
  /^[^\p{L}]{0,10}(?:why not|warum nicht|wieso nicht|perche non?|por que no|por que nao|porque nao|waarom niet|waarom geen)(?![a-z])/u;

/** A cell of a row that is a verdict. */
export const refusingCellMore =
  /(?:^| \| )[^\p{L}|]{0,4}(?:da evitare|sconsigliat[oa]|evitare|evite|nao recomendad[oa]|nao contrate|vermijden|afrader|afgeraden|niet doen|finger weg|no contratar|a fuir|使わないでください|おすすめしません|おすすめできません|避けるべき|避けたい|避けましょう|非推奨)[^\p{L}|]{0,4}(?: \||$)/u;

/** Before the name: another one is held against it. */
export const heldAgainstMore =
  /(?<![a-z0-9])(?:in tegenstelling tot|anders dan|vergeleken met|beter dan|goedkoper dan|duurder dan|in plaats van|alternati(?:ef|even) voor|overstappen van|a differenza (?:di|del|della|dell')|rispetto (?:a|al|alla|all')|al contrario (?:di|del|della)|invece (?:di|del|della)|alternativ[ae] (?:a|al|alla|all')|meglio di|ao contrario d[aeo]|diferente(?:mente)? d[aeo]|em vez d[aeo]|comparad[ao] (?:com|a[o]?)|melhor (?:que|do que)|mais (?:barat[ao]|car[ao]) (?:que|do que)(?: [ao])?|alternativas? (?:a|ao)|a diferencia de|en lugar de)(?![a-z])/gu;
/** Behind the name: the same in Japanese. */
export const heldAgainstBehind = /^[」』]?(?:より|と違い|とは違|と違って|に比べ|と比べ|の代わり|の代替|から乗り換え)/u;

/** A label and a colon, and at most a thing of the brand before its name: "Cadeau sûr : le coffret de Durance". */
export const labelBeforeName =
  /^[^.;!?。:]{3,80}[:：] ?(?:["“„«「『] ?)?(?:(?:le|la|les|l'|un|une|el|los|il|lo|o|a|os|um|uma|de|het|een|the|der|die|das|ein|eine)? ?(?:[a-z]{2,16} ){0,3}(?:d'|de|di|da|do|del|della|dell'|dal|dalla|von|vom|van|of|by|from|chez|bei) ?(?:la |le |il |o |a |der )?)?$/u;
/** The front of an item up to its name: a thing of the brand. */
export const thingOfName =
  /^(?:.{0,400}(?:[•・·▪] ?))?[^\p{L}]{0,6}(?:[a-z]{1,3}' ?)?(?:[\p{Ll}'-]{1,20} ){1,6}(?:d'|de|di|da|do|del|della|dell'|dal|von|vom|van|of|by|from|at|chez|de chez|bei) ?$/u;
/** A label in the title of a block, whose text begins with the name or a thing of it. */
export const openingOfAnswer =
  /^[^\p{L}]{0,6}(?:(?:l'|d')|(?:(?:the|der|die|das|de|het|le|la|les|el|los|il|lo|o|a|os|as|no|na|bei|mit|con|com|con|chez|with|met|un|une|um|uma|en|in|nel|nella) )(?:\p{Ll}{2,16} (?:d'|de|di|da|do|del|della|dell'|von|van|of) ?)?)?$/u;
