/** Words that follow the name of a company at the start of a sentence, and seldom the same word in its ordinary meaning. */
export const wordsAfterBrands = `
alternatives alternative is isn't was wasn't has hasn't had does doesn't did didn't can can't cannot could will won't would may might should must
and or also vs versus now still already even just only itself too either both
offers makes made sells sold provides gives gets got lets allows helps supports includes comes came costs charges starts started
works runs uses integrates ships stands keeps bills shows tracks handles covers takes goes went does needs requires has adds
automates combines connects delivers excels exports focuses gained generates grew hosts imports improves introduced joined keeps
launched leads leans lists looks manages matches opens operates owns pairs performs plays positions pulls ranks raised refunds
reports returns rolled said says scores sends serves sits sorts specialises specializes spans stores suits syncs targets
tends turns updates wins writes bought announced acquired closed cut discontinued dropped filed merged shut stopped belongs became becomes began beats brings builds caters claims collects
earned earns edges emphasises emphasizes features fits feels founded remains lacks lacked struggles dominates boasts prioritises prioritizes appeals tops deserves
scored won ends never usually always often sometimes rarely generally typically shines simplifies shipped seems seemed
ist war hat hatte kann bietet macht kostet verkauft liefert hilft eignet wird wurde gilt und oder passt uberzeugt punktet dominiert bleibt
est etait peut offre propose coute domine vend permet fait convient et ou reste
es era ha tiene puede ofrece vende cuesta permite hace y o sirve
`;

/** Verbs of what is sold and of who sells it, in the languages that `wordsAfterBrands` has few of. */
export const verbsOfSellers = `
ha puo costa offre permette consente resta vende propone conviene copre include funziona garantisce applica spedisce fa
tem pode custa oferece permite cobre cobra vende inclui fica vale costuma continua funciona entrega aceita garante
heeft kan kost biedt verkoopt levert blijft werkt scoort dekt zit rekent geeft vraagt bezorgt heet
cubre cobra vale sigue queda incluye funciona entrega acepta couvre facture vaut inclut marche livre garantit accepte
rechnet verlangt deckt liegt arbeitet reicht
`;

/** Words that stay words when a comma or "for" follows them at the start of a sentence: adverbs. A verb shows a name. */
export const adverbs = `
away later together indeed perhaps maybe instead finally simply quickly openly honestly kindly well visible ready public free open
meanwhile further overall ever again always never once next
`;

/** Words that can be the subject of a sentence: neither a verb nor a comma behind them shows a name. */
export const pronouns = `
nothing everything something anything none all most other others one now then here there today tomorrow still already so
however only even first second third it we you they he she who what which when where this that these those many few some any
`;

/** What makes a compound of a common word: "target audience", "ring size", "max length", "apple juice". */
export const compoundNouns = `
age amount amounts analysis application area areas audience audiences bearing binder binders budget budgets button
capacity category charge checklist cider date dates deadline distance duration finger fingers footage format
frequency goal goals group groups heat height income juice juices
keyword keywords language languages length level levels limit limits line list load location locations mark market marketing markets
number numbers option options page pages percentage persona personas pie population power
process range ranges rate rates ratio reach requirement requirements result results revenue road roads
role roles sauce score sector segment segments shape shaped shirt site size sizes speed spend step steps
temperature term terms text time times tip tips tone tones tree trees type types usage use value values version vinegar volume
weight width words year years zone zones
`;

/** The same, but only behind a word that could be an adjective or a label: "target users", where "Notion users" are Notion's. */
export const peopleNouns = `
account accounts buyer buyers client clients cost costs country customer customers data feature features file files meters
plan plans platform point points price prices pricing product products sheet system systems team teams trial tone trend trends
user users view
`;

/** Common words that brands are called and that are adjectives as well: before a noun they may be either. */
export const adjectives = `
active average base basic best better bold brave bright calm clean clear clever cool current dark deep direct dynamic easy express
fast final fine free fresh full general gentle global golden good gold grand great green happy hard healthy high honest ideal
joint kind key large last late lean light linear live local long lucky magic main major max maximum mighty min minimum mint
mobile modern mutual national native natural neat nimble noble normal novel olive open orange perfect plain pleasant polar
potential premium prime private progressive proper public pure purple quick quiet rapid rare raw ready real red regular rich
right round royal secure sharp short silent silver simple slim smart smooth social soft solid sound special square stable
standard steady strong subtle super sure sweet swift thin tidy tiny top total true typical ultra unique united universal upper
urban visible vital vivid warm white whole wide wild wise yellow young
`;

/** Common words that brands are called and that open an imperative as well. */
export const verbs = `
address adopt align amplify answer apply arrive ask assemble attend balance bench blend block blink bloom bolt book boost bounce
box break bring brush buffer build bump calm capture carry cash catch chart chase check clear click climb close coach code collect
compare connect contact copy cover craft create cut dash deal deliver design dial dip discover dive draft draw dream drift drive
drop edit embrace engage escape evolve exchange expand expect explore express fetch file fill find finish fire fit fix flip
float flow fly focus fold follow forge form found frame front fuel fuse gap gather give glide glow go grab grow guard guide hang
harvest help hike hinge hire hold hook hope host hunt imagine indulge inspire invest iron join jump keep kick land launch
lead lean learn lift like link list listen live load lock loop love make manage map march mark master match max measure meet
mention mind mint mix monitor motion mount move name nest nurture offer open order pace pack park pass patch pause pay peak pick
pilot pin pitch plan plant play plug point polish pool post pour practice press prime print probe process produce project prove
pull pulse pump push race raise rally reach read record refer relay relax release remember remix render rent repair replay report
request rescue reserve resolve rest retool reverb review ride ring rise roll root rotate round route run sail save scale scan
scout search seek segment sell send sense serve set shape share shift shine ship shop show shuttle sign signal sketch slice
smile snap sort spark speed spend spin splash split spot spread spring sprout square stack stage stamp stand start steer step
stick stitch stop store stream stretch strike study surf survey swap sweep swing switch sync tackle tag take talk tap target task
teach tell tend test thank think thrive tie time toast toggle touch trace track trade train transfer transform travel treat trim
trust try tune turn twist type unite unlock upgrade use value venture view visit voice wait wake walk wander warm wash watch
wave wear weave whisk win wire wish wonder work wrap write zip zoom
`;

/** What follows a word at the start of a sentence, and seldom a name there: articles, pronouns, prepositions, adjectives. */
export const wordsAfterWords = `
a an the this that these those my your our his her its their some any each every no all such another
me you him it us them yourself yourselves myself one ones what how which who whom whose when where why if whether because
from of in on into onto by as up down out off over under through about around between toward towards within without beyond
right new hidden more most less fewer other different specific potential multiple certain several many few best better good
great old big small long short common main own early late real extra various existing similar young older younger
local global interested relevant promising emerging up-to-date cheap cheaper affordable easy simple
der die das den dem ein eine einen einem einer im von zu aus auf
le la les un une des du de
el los las una unos unas
`;

/** Words before a day or a month that say when something happens. */
export const wordsBeforeDays = `
on every by each next last until till from since this of before after in a to late early per through and or mid for
am jeden bis seit le chaque el cada los
`;

/** Endings of compounds that still name the brand: "Apple-branded". A shape or a colour does not. */
export const brandCompounds = `
based branded owned powered compatible certified backed hosted exclusive native specific friendly only enabled integrated made
built like style run centric approved licensed sponsored related free to basiert basierte
`;

/** What may precede a hyphen and still names the brand: "non-Apple". */
export const brandPrefixes = 'non ex pre post anti pro former nicht inter multi';

/**
 * Names and set phrases that contain a name people look for and are not that company: no rule of spelling can tell. Families
 * that share their owner ("Apple Music") do not belong here. One a line or parted by bars.
 */
export const namesOfOthers = `
American Express|Apple Bank|Apple Records|Apple Corps|Apple pie|Delta Dental|Delta Faucet|Delta Electronics|Square Enix
Franklin Square|Times Square|Ring Central|Monster Energy|Monster Hunter|Dove Chocolate|Orange Theory|Orange County|Orange juice
Shell script|Chrome Hearts|Pandora Papers|Discover Magazine|Mercury Insurance|Mercury Marine|Freddie Mercury
Lincoln Financial|Lincoln Electric|Lincoln Center|Abraham Lincoln|Ford Foundation|Harrison Ford|Tom Ford|Amazon River
Amazon rainforest|Galaxy Chocolate|Virgin Islands|Marco Polo|Water Polo|United Nations|United States|United Kingdom|United Healthcare
Manchester United|Leeds United|United Rentals|Southwest Gas|Progressive Rock|Liberty Bell|Statue of Liberty|Eagle Scout|Boy Scout
Girl Scout|Linear algebra|Linear regression|Tokyo Drift|Best Western|Western Union|European Union|Credit Union|Union Pacific
Sage Publications|Capital gains|Air Max|Pro Max|Mad Max|Max Planck|Max Mara|Office Max|TJ Max|Max Weber|Nest egg|Wedding Ring
Boxing Ring|Onion Rings|Lord of the Rings|Elden Ring|Ring of Fire|Teddy Bear|Gap year|Big Brother|Zoom lens|Bumble Bee|Sound Wave
Brave New World|Signal processing|Edge computing|Opera House|Monty Python|Ball Python|Rust Belt|Taylor Swift|Jonathan Swift
Swift Transportation|Go Daddy|Jack in the Box|Drop Box|Box Office|Inbox Zero|Arctic Circle|Circle K|Hinge Health|Front Door
Front Page|Base Camp|Mount Everest|Dash Cam|Door Dash|Ghost Kitchen|Casper Ruud|Golden Ratio|Orange Is the New Black|Purple Heart|Deep Purple|Allied Universal
`;

/** Nouns that follow a short name when it is a symbol: oxygen sensors, axes, factors. */
export const symbolNouns = `sensor sensors saturation axis factor ray rays level levels coordinate coordinates value values chromosome position`;

/** Common words that head a column or open a line as its label: "Target: freelancers". */
export const labelWords = `
target max access capital charge contact credit current default express focus goal match model next package platform public range
record roles root signal source standard stage state status support term type user value version visible
`;
