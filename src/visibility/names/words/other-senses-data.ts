/** Words of German, French, Spanish, Italian, Portuguese and Dutch that brands are called, and that people use as words. */
export const namingWordsOfOthers = `
adler anker apfel bär baum berg biene bild birne blatt blüte boden bogen brücke brise bühne burg delfin diamant drache duft eiche eis engel ente erde
erle esel eule falke farbe feder feld fels feuer fisch flamme flut frische fuchs funke garten geist glanz glocke gold gipfel hafen hase heimat held
herz himmel hirsch hof honig huf hut igel insel kaiser kamin karo kater katze kern kette kiesel klang klee knoten komet komfort könig kran kranz kreis
krone kugel küche kuss lachs lampe land lerche leuchtturm linde linse löwe luchs luft lupe macht mais malz mantel meer meister mohn mond morgen möwe
muster mut nadel nagel nebel nest netz neun norden nuss ofen ordnung otter palme pfeffer pfeil pilz pinsel pol post prinz puls punkt quelle rabe rad
rahmen rakete raum regen reich reif ring riese ritter rose ruhe runde saft salz sand schatz schild schloss schlüssel schwan schwalbe see segel seil
spatz spiegel spitze sprung stange stein stoff storch strand strom stube stufe sturm süden tanne taube teller tempo tiger tisch ton traum tropfen
truhe tulpe turm ufer uhr veilchen vogel wache waage wald wand wanne watt weide welle wende werk wert wiese wille wind wolf wunder wunsch würfel
wurzel zahn zauber zeichen zelt ziegel zucker zweig abeille aigle aile air alizé amande amour ancre ange arbre arc argent atelier aube avenir azur
balance banane bateau baleine berger bijou boulanger bouton branche bulle but cabane cadre camaieu caprice carte casque castor cerise chamois chanson
chapitre château chemin cheval chouette ciel cigale citron clef clé coccinelle coeur comptoir coq coquille corbeau côté couronne croix cuisine défi
dauphin déclic délice éclair école écureuil élan éléphant envie épicerie équipe esprit été express facile faucon fée fenêtre feu feuille fleuve forêt
fontaine fraise franc garage gaieté géant goût graine grenier griffe hibou hirondelle horizon idéal île indépendant jardin jeu joie jules lanterne
lapin leader liberté libre lien ligne livre loup lutin lumière lynx magasin main malin marin matin merveille midi minute miroir mistral moineau moulin
muguet nuage océan oiseau olivier ombre or ours outil paille palais panier paon papillon parole partenaire passage peau pêche perle phare pie pierre
pigeon pinceau plume poisson poivre pomme pont porte poste poule promesse prune quartier racine raisin rayon réserve rêve rivière roi ruche sable
salon sapin saumon sel sirène soie sourire source tablier talent tigre toile tortue tour tournesol trèfle trésor univers vague vent verger vérité
victoire vigne violette voyage voile voix abeja abierto acero águila aire ala alba alma amigo amor ancla ángel apolo árbol arco arena arte aurora ave
azteca azul azúcar ballena banco barco barrio bosque brasa brisa burbuja caballo cadena café camino campo canal canela caramelo carrera casa castillo
cereza cielo cima clave claro colina cometa compás concha copa coral correo correos corona corte cuadro cumbre delfín deseo destino diana dragón
duende eco eje encanto energía época espejo espiga esquina estilo éxito fábrica falcon faro fe fénix fiesta finca flecha frío fresco fuego fuente
gacela gallo gato gigante globo gloria gota gracia hada halcón hogar hoja horno hoy huella ideal isla jardín joya juguete júpiter lago lanza lápiz
lazo leche lechuza león libro línea lince llave lluvia lobo loro lucero luz madera maestro maravilla mariposa mar marea marca menta mercado meta mesa
miel milagro mina mirador misión molino moneda montaña morena nácar nave nido nieve norte nube nuez océano ojo ola olivo oro oso pala paloma palma pan
paso pavo perla piedra pino pluma polo primavera príncipe puente puerta pulpo punto rayo raíz reina reloj retiro rey río risa roble rosa rumbo sabor
salto seda selva semilla siesta siglo sierra sueño suerte sur taller tienda tierra tigo toro torre trébol trigo tulipán unión valle vela vía viaje
vida viento virgin viva zorro acqua albero alfa amico amore ancora angelo ape aquila arancia argento aria asino azzurro balena banca barca bella bene
bosco bottega brezza bussola caffè calma candela cane cantina capitale capra carta castello cavallo cedro centro chiave chiaro ciliegia colomba colore
conchiglia coniglio cuore corallo corriere cresta dama delfino desiderio diamante dono edera energia eroe estate fabbrica falco fante farfalla fata
fenice ferro festa fiamma fiera fiore fiume foglia fonte forno forza fragola freccia fuoco gabbiano gatto gelo giardino giglio gioia giro girasole
goccia grano idea isola lampo lancia latte leone lepre limone linea luce luna lupo lumaca mare marmo mattino mela mercato miele mimosa molo mondo
montagna mulino natura neve nodo nord notte nuvola occhio oceano ombra onda ora orso ostrica pagina pane panda passo pesca pesce piazza pietra piuma
poltrona ponte porta posta premio presto principe prisma quadrifoglio quercia radice raggio ragno rame regina riccio risparmio riva rocca roma rondine
ruota sabbia sale salute sapore scala scudo seme sella sereno seta sfera sirena sogno sole sorriso specchio spiga stella strada talento tasca
tartaruga tavola terra tesoro traguardo trifoglio uliveto unione usignolo vento verde verità vespa via viaggio vigna vita viola volpe voce zucca
abelha abraço açúcar água águia alegria amanhã anjo âncora arara areia árvore asa avião baleia beleza bem caminho caixa caneca carinho castelo cavalo
cereja céu chave chuva coelho continente coração corda coroa correio correios coruja cruz delta desafio dia dragão elo espelho essência estação
estrela extra farol fada flor floresta fogo folha forte gaivota garoto girassol graça grão horizonte ideia ilha império jardim joia lança lar laranja
leão leite lenda lua madeira magia maçã maravilha maré marisa mel minuto milagre moinho montanha mundo natural navio ninho noite nuvem oi olho
oliveira oásis ouro pão pérola pedra ponto porto praia quinta raio raiz ramo rede rio riqueza rumo safra saber saraiva semente serra sinal sol sonho
sorte sul tesouro tim touro tradição urso vale verdade vivo voz zelo aarde adelaar appel arend bakker baken beer beurs bij bijenkorf blad bliksem
bloem boek boer boom boog boot bord bos brood brug bries brievenbus buur dak dauw deur dolfijn draak droom duif duin eend eik eiland ekster enkel
esdoorn eekhoorn feest ferm fiets fontein gamma geluk golf goud groei groen haan haard haas hamer hart haven hemel herfst hert heuvel hoed honing hond
hoek huis jumbo kade kamer kans kasteel kat kers klaver klok koe kompas koning konijn kraan kracht krans kroon kruimel kust laan lamp lente leeuw
licht lijn lucht maan markt marktplaats meeuw merel mier molen mus munt muis net nieuw nieuws noord oase oever olifant oog oor oost paard pad palm
parel peer pen piek pijl pluim plein plus poort prijs praxis punt raaf raket reiger rijk rob roos ruimte ruit schaap schat schip schelp sleutel smaak
snelheid snor specht spoor ster steen stier storm stroom tafel tij tijger toren trein tuin tulp uil veer veld vis vlam vlinder vonk vos vrijheid
waarde wagen water wereld wiel wilg winkel wolk wonder wortel zand zee zegel zilver zomer zon zuid zwaan zwaluw
`;

/** Nouns that German writes with a capital wherever they are: a capital does not make them a name. */
export const germanNamingNouns = `
adler anker apfel bär baum berg biene bild birne blatt blitz blume blüte boden bogen brise brücke bühne burg diamant drache duft eiche eis engel ente erde eule falke
farbe feder feld fels feuer fisch flamme flut freude fuchs funke garten geist glanz glocke glück gold gipfel hafen hase haus heimat held herz himmel hirsch hof honig hut idee
igel insel kaiser kater katze kern kette klang klee knoten komet könig kraft kran kranz kreis krone kugel küche kunde kunst kuss lachs laden lampe land leben licht linde linse löwe luft
lupe macht mantel markt meer meister mohn mond morgen möwe muster mut nadel nagel nebel nest netz nuss ofen ordnung palme pfeffer pfeil pilz pinsel pol post prinz puls punkt quelle
rabe rad rahmen rakete raum regen reich riese ring ritter rose ruhe runde saft salz sand schatz schild schloss schlüssel schwan see segel seil sonne spatz spiegel spitze sprung stadt stange stein stern sterne
stoff strand strom stufe sturm süden tag tanne taube teller tempo tiger tisch ton traum tropfen tulpe turm ufer uhr vogel wache wald wand wasser weg weide welle welt wende werk wert wiese wind wolf wolke wunder
wunsch würfel wurzel zahn zauber zeichen zeit zelt ziegel ziel zucker zweig
`;

/** Those of them that are no countable things: they have no article where they are words, too. */
export const germanSubstances =
  'duft eis erde feuer flut freude geist glanz glück gold heimat honig kraft kunst laden land leben licht luft macht meer morgen nebel ordnung pfeffer regen ruhe saft salz sand schatz sonne stoff strom süden tag wache wald wasser weg wende wert wind zauber zeit zucker ton klang';

/** Those of them that name newspapers and services, which have an article as brands, too: "Der Stern schreibt", "zur Post". */
export const germanNamesWithArticle = 'stern spiegel zeit welt bild post';

/** Japanese words in katakana that brands are called as well. */
export const kanaWords =
  'ライン オレンジ アップル リング ターゲット スクエア ドリーム スター サン ムーン フラワー ウィンド レイン オーシャン ビーチ マウンテン リバー レイク ロード ブリッジ タワー キャッスル クラウン キング クイーン ナイト エンジェル ハート ライフ ホーム ハウス ガーデン キッチン テーブル チェア ベッド ドア ウィンドウ キー ロック ボックス バッグ ポケット ボタン ベルト シャツ カード ページ ノート ペン ブック ストーリー ゲーム ミュージック ダンス カラー ホワイト ブラック レッド ブルー グリーン ゴールド シルバー ダイヤモンド パール スマイル ハッピー ラッキー スピード パワー エネルギー フォーカス ポイント ゴール スタート ステップ ジャンプ ブレイク タイム モーニング サマー ウィンター スプリング マンゴー レモン ピーチ チェリー メロン ココア コメット ギャラクシー コア ベース エッジ シグナル ゾーン サークル';

/** Before a name these make it a person's. */
export const personTitles =
  'frau herr herrn fräulein onkel tante kollege kollegin professor professorin doktor könig königin kaiser präsident kanzler kanzlerin komponist dichter schriftsteller schauspieler sängerin sänger mr mrs ms miss mister dr prof professor sir lady uncle aunt king queen president senator captain colonel judge detective neighbour neighbor novelist poet actor actress singer composer painter philosopher señor señora señorita sr sra srta don doña tío tía rey reina profesor profesora presidente presidenta poeta pintor actor actriz cantante doctora monsieur madame mademoiselle mme mlle général maréchal colonel capitaine docteur maître roi reine oncle président écrivain peintre poète acteur actrice chanteur chanteuse voisin signor signora signore signorina sig dottor dottoressa dott avvocato ingegner professore professoressa zio zia re regina poeta pittore attore attrice cantante senhor senhora dona tio tia rei rainha vizinho vizinha cantor cantora ator atriz meneer mevrouw dhr mevr oom koning koningin buurman buurvrouw collega dichter schilder zanger zangeres acteur oma opa';

/** First names that often precede a surname: "Robert Mueller". */
export const firstNames =
  'adam alain albert alberto alessandro alex alexander alexandre alfred alice ana andrea andreas andrew angela ann anna anne anthony antoine antonio arthur barbara beatriz benjamin bernard bernd brian bruno carla carlo carlos carmen catherine charles chiara chris christian christine claire clara claude claudia daniel daniela david denis diana diego dieter dirk dominique donald eduardo edward elena elisabeth elizabeth emily emma eric erik ernst eva fabio felix fernando filippo florian francesca francesco francis francisco françois frank franz fred friedrich gabriel george georges gerard giovanni giulia giuseppe gustav hans harry heinrich helen helena helmut henri henry hermann hugo ignacio ines inge isabel isabelle ivan jack jacques jakob james jan jane javier jean jeff jennifer jens jessica jim joan joana joão joe johan johann johanna john jonathan jorge josé josef joseph juan jules julia julie julien jürgen karin karl kate katharina kevin klaus laura lena leo leonardo linda lisa lorenzo louis louise luca lucas lucia lucie luigi luis luisa lukas manfred manuel marc marco margaret maria marie mario mark markus marta martha martin martina mary mateo matthew matthias matteo max michael michel michelle miguel mike monika nancy nathalie nicolas nicole nina olaf oliver olivier oscar otto pablo paolo patricia patrick paul paula paulo pedro peter petra philip philippe pierre pieter rafael ralf raúl rebecca renate ricardo richard rita robert roberto roger roland ronald rosa rudolf ruth samuel sandra sara sarah sebastian sergio simon sofia sophie stefan stefano stephen steve steven susan susanne sylvie teresa thomas tim tobias tom tomás tony ursula uwe valentina vera victor vincent walter werner willem william wolfgang yves';

/** What a person is, after a name and a comma: "Zara, la profesora". */
export const personNouns = `
profesora profesor técnico técnica vecino vecina 
hermano hermana primo prima hijo hija technicienne technicien professeure professeur 
voisine voisin frere frère soeur 
professoressa professore tecnico vicino vicina fratello sorella commesso commessa
professora professor vizinho vizinha irmão irmã technikerin techniker lehrerin
lehrer nachbarin nachbar verkäuferin verkäufer bruder schwester mechaniker 
monteur buurman buurvrouw leraar lerares docente broer zus verkoper teacher technician neighbour
neighbor brother sister cousin plumber 
`;

/** Places that companies are called after. */
export const placesOfBrands =
  'santander sabadell bilbao orange aruba essen hannover nürnberg aachen münchen berlin wüstenrot jordan columbia virginia avignon évian vichy vittel volvic perrier evian badoit lourdes nantes lille bordeaux rennes toulouse montpellier roma milano parma modena bologna torino napoli siena lecce trento rimini palermo sardegna sicilia toscana umbria lazio liguria ibiza marbella toledo granada málaga sevilla valencia zaragoza vigo coruña cuenca león navarra murcia oviedo mérida córdoba andalucía asturias galicia cartagena medellín bogotá quito lima porto braga évora coimbra faro lisboa madeira açores setúbal sines olinda recife natal salvador fortaleza paraná amazonas pará bahia delft breda utrecht arnhem gouda edam zaandam haarlem leiden tilburg philadelphia boston dakota phoenix chester oxford cambridge york windsor bristol bath lincoln houston dallas denver cleveland austin delphi athen olympia troja dover calais como garda elba capri malta bali java fiji tahiti bermuda havana sumatra everest kilimanjaro';

/** Gods and heroes whom companies are called after. */
export const mythicNames =
  'hermes hermès nike apollo apolo apollon apollo athena atenea athene ajax ares mars venus jupiter júpiter saturn saturno saturne merkur mercury mercurio mercure vulcan vulcano pegasus pegaso pégase orion phoenix titan atlas odyssey odysseus ulises ulysse ulisse hera artemis diana minerva thor odin freya loki hercules hércules hercule ercole achilles aquiles achille midas pandora medusa argos argo calypso poseidon neptun neptune neptuno nettuno osiris isis ra anubis';
