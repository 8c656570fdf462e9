/**
 * Words of grammar and of judgement in English, German, French, Spanish, Italian, Portuguese and Dutch, folded: lower case, no
 * accents. A word that ends in "~" is the start of longer ones. For Japanese, pieces that are in the text.
 */

/** They turn a clause into its opposite. */
export const negators =
  'not never nor nothing nichts niets rien niente nulla nada neither cannot nicht kein keine keinen keinem keiner nie niemals weder pas jamais aucun aucune ni no nunca jamas tampoco ningun ninguna non mai nessun nessuna neppure nemmeno nao nem tampouco nenhum nenhuma niet geen nooit nee nein';

/** They say that what is named is better left alone. */
export const warning =
  'avoid~ skip skipping skipped shun ditch beware meid~ vermeid~ abraten abzuraten eviter~ evite~ evitez fuir fuyez deconseill~ evitar~ evita evitad~ evite huir huye descarta~ desaconsej~ evitare evitat~ evitere~ sconsigli~ diffid~ desaconselh~ fugir fuja dispens~ vermijd~ mijd~ afrad~ afgeraden warn~ waarschuw~ overslaan wegblijven';

/** The same in "I would ...", where they have no other meaning. */
export const leaving =
  'forget pass miss elsewhere woanders anderswo ailleurs altrove elders rule exclude against exclure escludere~ uitsluiten excluir~ mefi~ misstrau~ away steer abstand absehen finger hande verzichten vergessen ausschliessen ecarter ecarterais renoncer renoncerais olvida~ perdere scart~ lontano larga fuggi~ descart~ longe esquece~ afraden weglaten links leave laisserais lascerei dejaria deixaria';

/** With a negation they praise, or say nothing of a choice: "I would not hesitate", "do not miss". */
export const doubting =
  'hesitat~ twice mind regret~ worry blame wrong miss forget surprised zoger~ bereu~ falsch fehler fehlen verpass~ vergess~ hesit~ regrett~ manqu~ oubli~ tromp~ trompe dud~ arrepent~ equivoc~ pierdas perder olvid~ error esit~ pent~ sbagli~ mancare dimentic~ hesitar~ erro perca~ esque~ twijfel~ spijt verkeerd missen vergeet ontbreken only just nur seulement solo soltanto solamente apenas somente alleen slechts';

/** What one does after a wrong choice: negated, they praise. */
export const regretting =
  'regret~ wrong bereu~ falsch fehler regrett~ tromp~ trompe arrepent~ arrepien~ equivoc~ pent~ sbagli~ arrepend~ erro error erra spijt verkeerd';

/** Judgements in favour, as stems. */
export const praising = [
  'good better best great nice solid ideal perfect~ easy easier easiest easily cheap~ affordab~ reliab~ excellent superb handy useful comfort~ comfy quick~ fast~ friendly generous worth~ popular favourite~ favorite~ bargain honest~ accurate~ trusted trustworthy proven strong~ quiet~ sturdy durable simpl~ smart sensible safe~ suit~ fits beats wins shines decent roomy spacious tasty delicious beautiful~ elegant flexible lovely clever capable powerful smooth~ versatile unbeatable reputable winner bet enough fantastic brilliant impress~ outstanding polished intuitive tops value lasts',
  'gut gute guten guter gutes gutem besser~ beste~ bestens ideal~ perfekt~ hervorragend~ ausgezeichnet~ empfehl~ empfiehl~ lohn~ gunstig~ preiswert~ billig~ schnell~ leise~ leicht~ einfach~ bequem~ praktisch~ solide~ zuverlassig~ robust~ stark~ angenehm~ freundlich~ sicher~ vernunftig~ sinnvoll~ geeignet~ eignet eignen passt passend~ reicht reichen genugt uberzeug~ punktet glanzt hilft beliebt~ bewahrt~ tipp favorit~ sieger testsieger klassiker wahl hochwertig~ schlank~ ubersichtlich~ flexibel flexible~ vielseitig~ genau~ toll~ super klasse prima fair~ ehrlich~ kompakt~ langlebig~ haltbar~ lecker~ fuhrend~ spezialisiert~ adresse starke lob~ grundlich~ komfortabel~ unschlagbar~ wunderbar~ gern gerne',
  'bon bonne bons bonnes bien mieux meilleur~ ideal~ parfait~ excellent~ remarquabl~ pratique~ simple~ facile~ rapide~ fiable~ solide~ robuste~ confort~ silencieu~ leger~ legere abordabl~ economique~ avantag~ interessant~ agreabl~ sympa~ accueillant~ convien~ conseill~ recommand~ vaut merite~ suffit suffisent choix favori~ reference adapte~ celebre~ reconnu~ specialis~ honnete~ genereu~ complet~ efficace~ precis~ joli~ beau belle delicieu~ util~ prefer~ gagne~ sedui~ plait plaisir adresse imbattabl~ incontournabl~ valeur sur sure surs qualite',
  'buon buona buoni buone buono bene meglio miglior~ ottim~ ideal~ perfett~ eccellent~ comod~ pratic~ semplic~ facil~ veloc~ rapid~ affidabil~ solid~ robust~ silenzios~ legger~ convenient~ convien~ economic~ vantaggi~ interessant~ piacevol~ bell~ sicur~ consigli~ raccomand~ vale valgono merita~ basta bastano scelta preferi~ adatt~ famos~ specializzat~ onest~ complet~ efficac~ precis~ util~ gustos~ fresc~ brav~ vince giust~ accoglient~ imbattibil~ curat~ cortes~ qualita',
  'buen buena buenos buenas bueno bien mejor~ ideal~ perfect~ excelent~ comod~ practic~ sencill~ facil~ rapid~ fiable~ solid~ robust~ silencios~ liger~ convien~ economic~ barat~ ventaj~ interesant~ agradabl~ bonit~ segur~ recomend~ recomiend~ aconsej~ vale valen merec~ basta bastan eleccion opcion~ prefer~ favorit~ adecuad~ famos~ especializ~ especialist~ honest~ complet~ eficaz~ precis~ util~ cumpl~ gana ganan sorprend~ destac~ encaj~ sensat~ digno digna acert~ referencia compensa imbatibl~ calidad rico rica',
  'bom boa bons boas bem melhor~ ideal~ perfeit~ excelent~ otim~ confort~ pratic~ simpl~ facil~ rapid~ confiave~ fiavel fiaveis solid~ robust~ silencios~ leve leves convem economic~ barat~ vantag~ interessant~ agradave~ bonit~ segur~ recomend~ aconselh~ vale valem merec~ basta bastam escolha~ opcao opcoes prefer~ favorit~ adequad~ famos~ especializ~ especialist~ honest~ complet~ eficaz~ precis~ util~ cumpr~ ganha~ surpreend~ destac~ encaix~ sensat~ acert~ corret~ referencia compensa~ gostos~ caprichad~ imbative~ qualidade',
  'goed goede beter betere beste ideaal ideale perfect~ uitstekend~ prima fijn~ handig~ praktisch~ goedkoop~ goedkope~ voordelig~ betaalba~ snel snelle~ stil stille~ licht~ makkelijk~ gemakkelijk~ eenvoudig~ comfort~ stevig~ degelijk~ betrouwba~ robuust~ sterk~ aangenaam aangename vriendelijk~ veilig~ verstandig~ geschikt~ past passen volstaat genoeg overtuig~ populair~ favoriet~ aanrader aanbevel~ waard loont mooi~ leuk~ lekker~ ruim ruime flexib~ eerlijk~ duurzaam duurzame winnaar slim slimme netjes bekend~ gespecialiseerd~ keuze~ tip wint scherp~',
];

/** The same in Japanese. */
export const praisingInJapanese = [
  'おすすめ',
  'お勧め',
  '便利',
  '安心',
  '良い',
  '良く',
  'よい',
  'よく',
  'いい',
  '最適',
  '向い',
  '向き',
  'ぴったり',
  '安い',
  '安く',
  '手頃',
  '割安',
  'お得',
  '評判',
  '人気',
  '定番',
  '優れ',
  '強い',
  '得意',
  '丈夫',
  'やすい',
  'やすく',
  '快適',
  '静か',
  '軽い',
  '軽く',
  '早い',
  '速い',
  '丁寧',
  '充実',
  '豊富',
  '十分',
  '無難',
  '信頼',
  '確実',
  '一番',
  '候補',
  '選択肢',
  '足り',
  '美味し',
  'おいしい',
  '高品質',
  'コスパ',
  '満足',
  '親切',
  '一択',
  'なら',
  '合う',
];

/** They part what was from what is: a name behind them was chosen once. */
export const formerly =
  'formerly previously fruher damals autrefois auparavant antes antiguamente prima una-volta antigamente vroeger voorheen';

/** Directly before a name, they hold another one against it, or say where something else comes from. */
export const beside =
  'than versus vs unlike als wie statt anstatt dan zoals que comme come como like contre contra tegen gegen';

/** Words by which a later part goes on about the name: pronouns, places, and the purchase of it. */
export const anaphors =
  'elsewhere woanders anderswo ailleurs altrove elders it them there davon dort dieser diesem diesen ihn y alli ahi ci dele dela deles delas desse dessa deste desta ai erop eraan ervan daar kauf achat compra acquisto aankoop purchase';

/** The same directly before the verb only: elsewhere they are articles and conjunctions. */
export const clitics = "die den der da hier la le les l' lo los las li ne en o os as dat deze";

/** Verbs of choosing that a "kein" or "geen" before the name turns round. */
export const choosing =
  'kauf~ nehm~ nimm~ wahl~ bestell~ buch~ neem nemen koop~ kopen kies~ kiezen bestel~ gebruik~ buy get use take choose pick hire book';

/** All that a refusal of few words may hold beside its negation. */
export const refusalFillers =
  'way hablar pensar question frage lieber besser eher bitte das better rather please thanks this one do plutot merci mieux mejor gracias esta este meglio grazie fare questo questa melhor obrigado esse essa beter liever doen dit deze tun machen faire hacer fazer for me recommended empfohlen recommande recomendado recomendada recomendado consigliato aanbevolen aan te raden';

/** Verbs of advising: with a negation in a title, they warn of what is below. */
export const advising =
  'recommend~ suggest~ empfehl~ empfiehl~ rate conseill~ recommand~ recom~ recomiend~ aconsej~ consigli~ raccomand~ aconselh~ indico aanrad~ aanbevel~ raad faria haria farei ferais doen tun machen kies~ kauf~ buy use choose pick wahl~ nehm~ koop~ usar usaria comprar compraria';

/** What such a title is about when it is not names. */
export const faults =
  'mistake~ pitfall~ error~ trap~ fee~ cost~ problem~ fehler fallen kosten erreur~ piege~ frais erros errori fouten valkuil~ trampas armadilha~ fallos gastos costi custos truffe golpe~ estafas sorpres~ warum why pourquoi perche porque waarom how wie comment como come hoe';

/** Judgements against something, which alone do not offer it: stems of the seven languages, and pieces of Japanese. */
export const blaming =
  'expensive dear~ pricey pricier costly slow~ poor~ weak~ noisy noisier dated outdated complicated limited hidden worse worst bad badly unreliable clumsy awkward buggy lacks lacking cumbersome teuer~ teure~ langsam~ schlecht~ schwach~ laut lauter veraltet~ umstandlich~ eingeschrankt~ unzuverlassig~ nervig~ leider fehlt fehlen mangel~ cher chere chers plus-cher lent lente lents mauvais~ faible~ bruyant~ vieillissant~ complique~ limite limitee decevant~ pire malheureusement manque manquent caro cara caros caras lent~ mal~ peor debil~ ruidos~ anticuad~ complicad~ limitad~ decepcion~ desgracia~ falta faltan cari care scars~ debol~ rumoros~ datat~ complicat~ limitat~ delud~ peggio peggior~ purtroppo manca mancano pior~ frac~ ruim ruins barulhent~ antiquad~ infelizmente duur duurder dure traag trage slecht~ zwak~ luid verouderd~ ingewikkeld~ beperkt~ helaas ontbre~ valt tegen';

/** The same in Japanese. */
export const blamingInJapanese = [
  '高い',
  '高め',
  '割高',
  '遅い',
  '弱い',
  '古い',
  '使いにく',
  '不満',
  '不便',
  '残念',
  '難しい',
  '少ない',
  'うるさい',
];

/** The other of two that were named. */
export const seconds =
  'second latter zweite zweiten zweites zweiter letztere letzteren letzteres seconde deuxieme derniere secondo seconda segundo segunda tweede laatstgenoemde';
