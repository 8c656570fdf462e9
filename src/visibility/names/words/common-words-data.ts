/** Words of everyday English in their base form; endings are taken off before they are looked up. */
export const everydayWords = `
a an the i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its
itself they them their theirs themselves this that these those here there where when why how what which who whom whose
all any both each either every few less least many more most much neither no none nothing one other others own same several
some such another anybody anyone anything everybody everyone everything nobody somebody someone something
and or but nor so yet for if unless until while because although though since whereas whether than as
at by from in into of off on onto out over to toward towards under up upon with within without about above across after
against along among around before behind below beneath beside besides between beyond despite down during except inside like
near outside past per through throughout via
be am is are was were been being have has had having do does did done doing can could may might must shall should will would
not never always often sometimes usually rarely seldom ever again already also almost alone away back backward even
ever far fast forward hard hence however indeed instead just later maybe meanwhile merely mostly nearly next now
once only otherwise perhaps please quite rather really right roughly second simply still soon straight then thereby
therefore thus today together tomorrow tonight too twice very well yes yesterday

able accept access accident account achieve across act action active activity actual ad add addition address adequate
adjust admin admit adult advance advantage advert advice advise affair affect afford afraid age agency agenda agent agile ago
agree ahead aid aim air alarm album alert alias align alive allow alpha alter amount ample anchor angel anger angle
animal annual answer anyway apart apology app appeal appear apply appoint approach approve area argue arise arm army arrange
arrive arrow art article aside ask aspect assess asset assign assist assume assure attach attack attempt attend attic
attract audience audio audit aunt author auto available average avoid award aware awesome axis
baby background bad badge bag bake balance ball ballot band bank bar bare bargain barrel base basic basis basket batch
bath battery battle beach beacon beam bean bear beat beauty become bed beer begin behave belief believe bell belong belt
bench bend benefit bet better big bike bill bind bird birth bit bite bitter black blade blame blank blast bleed blend bless
blind blink blink block blog blood bloom blow blue blur board boat body boil bold bolt bond bone bonus book boom boost boot
border bore borrow boss bother bottle bottom bounce bound bow bowl box boy brain branch brand brave bread break breath breathe
breed breeze brick bridge brief bright brilliant bring broad brother brown browse brush bubble bucket buddy budget buffer
bug build bulb bulk bullet bump bundle burn burst bus bush business busy button buy buzz
cable cafe cake calendar call calm camera camp campaign cancel candle candy cap capable capacity capital capture car card
care career careful cargo carrot carry cart case cash cast castle cat catch category cause cave cell center central centre
century certain chain chair challenge champion chance change channel chapter character charge chart charm chase chat
cheap check cheer cheese chef chest chew chicken chief child chip choice choose chore chunk church circle circus cite city
civil claim clash class classic clean clear clever click client climb clinic clip clock close cloth cloud club clue cluster
coach coal coast coat code coffee coin cold collar collect college color colour column combine come comfort command comment
commit common community compact companion company compare compass compete complete complex comply compose concept concern
concert conclude condition conduct confirm conflict connect consider consist constant consult consume contact contain
content contest context continue contract control convert convey cook cool cope copy core corn corner correct cost cottage
cotton couch count counter country couple courage course court cousin cover cow craft crash crazy cream create credit crew
crime crisp critical crop cross crowd crown cruel crush cry crystal cube cup cure curious current curve custom customer cut
cute cycle
dad daily damage dance danger dare dark dash data date daughter dawn day dead deal dear death debate debt decade decay
decide deck declare deep deer default defeat defend define degree delay delete deliver delta demand deny depart depend deposit
depth derive describe desert deserve design desire desk despair detail detect develop device devote diamond diary die diet
differ different difficult dig digital dinner dip direct dirt dirty disaster discount discover discuss dish display
distance distinct district dive divide dock doctor document dog dollar domain door dose dot double doubt dove draft drag
drain drama draw dream dress drift drill drink drive driver drop drum dry duck due dull dump duplicate dust duty dynamic
eager ear early earn earth ease east easy eat echo economy edge edit editor educate effect effort egg eight elder elect
electric element elephant elevate elite else embark embed embrace emerge emotion employ empty enable end enemy energy engage
engine enjoy enough ensure enter entire entry envelope envoy equal equip error escape essay essence establish estate estimate
event evidence evil exact exam example excel excellent exchange excite excuse execute exercise exist exit expand expect
expense expert explain explore export express extend extra extreme eye
fable fabric face fact factor factory fade fail faint fair faith fall false fame family famous fan fancy farm fashion
fat fate father fault favor favorite favour favourite fear feast feather feature fee feed feel fellow fence fetch fever
field fierce fifth fight figure file fill film filter final finance find fine finger finish fire firm first fish fit five
fix flag flame flash flat flavor flavour fleet flesh flexible flight flip float flock flood floor flow flower fluent fly focus
fold folk follow fond font food fool foot force forest forge forget form formal format former forth fortune forum foundation
four fourth fox fraction fragile frame free freedom freeze freight frequent fresh friend fruit fuel full fun function fund
funny furniture fuse fusion future
gain galaxy gallery game gang gap garage garden gas gate gather gauge gear gem gender general generate generous genius
gentle genuine gesture get giant gift girl give glad glance glass glide global glory glove glow glue go goal goat gold good
govern grab grace grade gradual grain grammar grand grant graph grape grasp grass grateful gravity gray great green greet
grey grid grief grill grip grocery ground group grow growth guarantee guard guess guest guide guilty guitar gun guy gym
habit hair half hall halo hammer hand handle handy hang happen happy harbor harbour harm harmony harvest hat hate haul
haven hazard head heal health healthy heap hear heart heat heaven heavy height hello helmet help hence herb hero hesitate
hide high hike hill hint hip hire history hit hobby hold hole holiday home honest honey honor honour hook hope horizon
horse hospital host hot hotel hour house hover hub huge human humble humor hundred hungry hunt hurry hurt husband hype
ice icon idea ideal identify idle ignore ill image imagine impact imply import impose impress improve incident inch include
income increase index indicate individual industry infant infinite influence inform inner input inquire insect insert
insight insist inspect inspire instance instant insult insure intend intense intent interest internal internet interval
invest invite involve iron island issue item ivory
jacket jam jar jazz jelly jet jewel job join joint joke journal journey joy judge juice jump jungle junior jury justice
keen keep kettle key kick kid kill kind king kiss kit kitchen kite knee knife knock knot know knowledge
label labor labour lack ladder lady lake lamp land lane language lap laptop large laser last late laugh launch laundry
law lawn layer lazy lead leader leaf league leak lean leap learn lease leather leave lecture left leg legacy legal legend
leisure lemon lend length lens lesson let letter level lever liberty library license licence lie life lift light limb
lime limit line linear link lion lip liquid list listen literal little live liver load loan lobby local locate lock lodge
log logic lonely long look loop loose lose loss lot loud love loyal lucky luggage lunch lung luxury
machine mad magic magnet mail main maintain major make male mall man manage manner manual map march margin mark market
marriage marry mask mass master match mate material math matrix matter mature max maximum meal mean measure meat mechanic
medal media medical medium meet melt member memory mental mention menu merchant mercy merge merit mess message metal
meter method metre metric middle mild mile military milk mill mind mini minimum minor mint minute mirror miss mission mistake
mix mobile mode model moderate modern modest modify module mom moment momentum money monitor monkey month mood moon moral
mother motion motor mount mountain mouse mouth move movie multiple murder muscle museum music mutual mystery
nail naked name narrow nation native natural nature navy neat necessary neck need needle negative neighbor neighbour nerve
nest net network neutral new news nice niche night nine noble node noise noon norm normal north nose note notice notify
notion novel nuclear null number nurse nut
oak object observe obtain obvious occasion occupy occur ocean odd offer office officer official oil okay old olive
open operate opinion opportunity oppose opposite opt option oracle orange orbit order ordinary organ organic
organise organize origin original outcome outfit outlet outline outlook output outstanding oven overall overcome overlook
overview owe owner oxygen
pace pack package page pain paint pair palace pale palm pan panel panic pant paper parade paragraph parallel parcel
parent park part partial particular partner party pass passage passion passive password paste pastry patch path patient
pattern pause pay payment peace peak pear peer pen pencil penny people pepper percent perfect perform period permanent permit
person pet phase phone photo phrase physical piano pick picnic picture pie piece pig pile pill pillow pilot pin pine
pink pioneer pipe pitch pity pivot pizza place plain plan plane planet plant plastic plate platform play player pleasant
plenty plot plug plus pocket poem poet point poison pole police policy polish polite poll pond pool poor pop popular port
portion portrait pose position positive possess possible post pot potato potential pound pour power practical practice praise
pray prayer precious precise predict prefer premium prepare present preserve press pressure presume pretend pretty prevent
previous price pride prime primary princess print prior prison privacy private prize pro probable problem proceed process
produce product profession professor profile profit program progress project promise promote prompt proof proper property
proposal propose prospect protect protein protest proud prove provide public publish pull pulse pump punch pupil puppet
purchase pure purple purpose purse pursue push put puzzle
quality quantity quarter queen quest question queue quick quiet quit quiz quote
rabbit race rack radar radical radio rail rain rainbow raise rally random range rank rapid rare rate ratio raw ray reach
react read ready real reality realise realize reason rebel recall receipt receive recent recipe reckon recognise recognize
record recover recycle red reduce refer reflect reform refresh refuse regard region register regret regular reject relate
relative relax relay release relevant reliable relief relieve religion rely remain remark remedy remember remind remote
remove render rent repair repeat replace reply report represent request require rescue research reserve reset reside resist
resolve resort resource respect respond response rest restaurant restore restrict result resume retail retain retire
retreat return reveal revenue reverse review revise revolution reward rhythm ribbon rice rich rid ride ridge rifle rigid ring
rinse riot ripe ripple rise risk ritual rival river road roast rob robot robust rock rocket rod role roll roof room root
rope rose rough round route routine row royal rub rubber rude ruin rule run rural rush
sack sacred sad safe sage sail sake salad salary sale salon salt sample sand satellite satisfy sauce save say scale scan
scarce scatter scene schedule scheme scholar school science scissors scope score scratch scream screen script scroll sea
seal search season seat secret section sector secure see seed seek seem segment seize select self sell send senior sense
sensor sentence separate sequence series serious servant serve service session set settle seven severe sew shade shadow shake
shape share sharp shed sheep sheet shelf shell shelter shield shift shine ship shirt shock shoe shoot shop shore short
shot shoulder shout shovel show shower shut shy sibling sick side sight sign signal silent silk silly silver similar simple
sin sing single sink sir sister sit site situation six size skate sketch ski skill skin skip skirt sky slack slam slave
sleep sleeve slice slide slight slim slip slope slot slow smart smash smell smile smoke smooth snack snake snap snow soap
social society sock soft software soil solar sold soldier sole solid solo solution solve song sonic sort soul sound soup
source south space span spare spark speak special specific speech speed spell spend sphere spice spider spin spirit
spit splash split sponsor spoon sport spot spray spread spring sprint sprout spy square squeeze stable stack stadium
staff stage stain stair stake stamp stand standard staple star stare start state station statue status stay steady steak
steal steam steel steep stem step stick stiff stir stock stomach stone stop storage store storm story stove strange strap
strategy straw stream street strength stress stretch strict strike string strip stripe stroke strong structure
struggle student studio study stuff stupid style subject submit succeed success sudden suffer sugar suggest suit suite
summary summer summit sun super supply support suppose sure surface surge surprise surround survey survive suspect sustain
swallow swap swear sweat sweep sweet swell swift swim swing switch sword symbol system
table tablet tackle tag tail take tale talent talk tall tank tap tape target task taste tax taxi tea teach team tear tech
teen telephone tell temper temple temporary ten tend tennis tent term terrible test text thank theatre theater theme theory
thick thief thin thing think third thirsty thorn thorough thought thousand thread threat three thrive throat throw thumb
thunder ticket tide tidy tie tiger tight tile till timber time tiny tip tire tissue title toast toe toilet token tone tongue
tool tooth top topic torch total touch tough tour tower town toy trace track trade tradition traffic trail train transfer
transform transition translate transport trap trash travel tray treasure treat tree trend trial tribe trick trigger trim trip
triumph trouble truck true trunk trust truth try tube tulip tune tunnel turbo turn twelve twenty twin twist two type typical
tyre
ugly ultimate umbrella uncle unify union unique unit unite unity universal universe university unlock upgrade upper upset
upward urban urge use used useful user usual utility
vacation vacuum vague valley valuable value valve van vanish vapor variety various vary vast vault vector vegetable vehicle
velocity velvet vendor venture venue verb verdict verify verse version vessel veteran victim victory video view vigour village
vine vintage violet virtual virtue visible vision visit visual vital vivid vocal voice volume volunteer vote voyage
wage wait wake walk wall wallet wander want war ward warm warn wash waste watch water wave wax way weak wealth weapon wear
weather weave web wedding week weigh weight welcome west wet wheat wheel whip whisper white whole wide wife wild win wind
window wine wing winner winter wipe wire wise wish witness wolf woman wonder wood wool word work workshop world worry worse
worst worth wound wrap wrist write wrong
yard year yellow yield yoga young youth zebra zero zone zoom

ate became began bent bit blew bought bound broke brought built burnt came caught chose chosen clung cost dealt drank drawn
drew drove eaten fallen fed fell felt fled flew flown fought found froze frozen gave given gone got gotten grew grown hid hidden
held hung kept knew known laid lain led lent lit lost made meant men met paid people proven ran rang rode risen rose said sang
sat saw seen sent shook shot shown shrunk slept slid sold spent spoke spoken spun stood stole stuck stung swam swept swung
taken taught thought threw thrown told took tore understood went withdrew woke won wore worn wove written wrote women children
feet teeth mice lives leaves selves
best busier easier easiest earliest further furthest greater greatest higher highest larger largest lower lowest
nearest newest older oldest simpler simplest smaller smallest stronger worse
english french german spanish european american british chinese japanese indian
`;

/** Words that are rarer in running text, and that brands are named after: they count as common when they are the whole name. */
export const namingWords = `
acorn affinity affirm airtable alchemy alchemist algorithm allegro alley ally almanac aloha alpine amber ambition amazon
amp ample ant antelope apex apollo apple apricot aqua arc arcade arch archer arena argo armor armour aroma artisan ascend
ascent ash aspen aster astra atlas atom attentive auger aura aurora avatar avenue aviator avocado axe axiom axle azure
balm bamboo bandit banner banter bark barracuda basalt basecamp bay beaver bedrock beehive beep beetle bench beta betterment
bison bistro bit blaze blizzard blossom bluebird blueprint bluff boomerang bond borough bounty bourbon bowery bramble brass
bravo brew briar brigade brisk broker bronze brook bud buffalo bugle bunker bunny burrow butcher butter butterfly buffer
cabin cactus cadence caliber calibre canary canon canopy canvas canyon capsule caravan caramel cardinal caret caribou
carousel carrier cascade casper cathedral caviar cedar cello celsius chalk chameleon chant chapter chariot charter cherry
chestnut chime chimp chisel chord chorus chrome cider cinder cinnamon circuit citadel citizen citrus clam clarity
clay clearing cliff clover coal cobalt cobra cockpit cocoa coconut codex colony comet comfy compound concord
conductor cone console copper coral cord cosmos cove cowboy crane crate crater creek crescent crest cricket crimson crocs
crow cruise crunch crust crystal cub cuff curb curl cursor cushion cyan cyclone cypress
daisy dandelion darling dart dazzle decimal delight depot descript destiny dew dial dice digest dime diner disco divvy
dolphin dome domino donut doodle dragon dragonfly drip drone druid dumpling dune dwell dynamo dyno
eagle earl easel eclipse eden eel egret element elf elixir elm em ember emblem emerald emperor empire epic epoch equinox
era ether evergreen evergreen ever everlane everest evolve exodus express
facet falcon fang fanatic fathom fawn felix fern fiber fibre fiddle fidelity fig finch fir firefly firefox fjord flair
flamingo flannel flare flicker flint flipper flora flurry flute foam foil forager forge fort fortress fossil foundry fountain
foxtail framer freedom frog frontier frost fudge fugue fury
gadget gale gallant gamma garland garlic garnet gateway gazelle gecko gemini gene genesis genie geyser ghost ginger glacier
glaze gleam glider glimpse glint globe gnome goose gopher gorilla gospel granite graphite gravy griffin grizzly grove
grub guardian guava gull guru gusto
habitat hammock hamster harbor hare harness harp harrow hatch havoc hawk hawthorn hay haze hazel headspace hearth heather
hedge helix helm hen herald heritage heron hexagon hickory hive hollow hoop hopper hornet horn hound huddle hull humane
hummingbird hunter hurdle husky hut hydra hymn
iceberg icicle ignite impulse indigo infinity ink inn insider inspire intercom iris isle ivy
jackal jade jaguar jasmine jasper java javelin jewel jigsaw jingle jive jolly jot jubilee juniper jupiter
kale kangaroo karma kayak keeper kernel keynote kin kindle kiwi knight koala krill
labyrinth lace lagoon lance lantern lark lasso lattice laurel lava lavender ledger leo leopard lexicon lighthouse
lightning lilac lily linen linger linux lilt lobster locket loft loom looker lotus lucid lumen luna lunar lush lynx lyric
macro madison magenta magma magnolia magpie mallet mammoth mango manifest manifold mantra maple marathon marble mariner
marigold marina marker mars marvel mason maverick maven max mayflower maze meadow medallion mellow melody mentor mercury
meridian merlin mesa meta metro midnight mimosa mine mingle minnow mirage missive mist mole monarch monday monk
monsoon mortar mosaic moss moth motive motto muse mushroom musk mustang mustard myth
nebula nectar neon neptune nettle neuron nexus nimble nimbus nirvana nomad nook notch notion nova nucleus nudge nugget
nutmeg nylon
oasis oat obsidian octagon octopus odyssey omega omen onion onyx opal opera optimum optic optimist orca orchard orchid orchestra
origami origin osprey otter outback outpost outreach outrider owl oyster
pacer paddle pagoda palette panda panther papaya papyrus parachute paradigm paragon paradox parakeet parrot parsley
patron pavilion paw peacock peanut pear pearl pebble pecan pelican pelican peloton pendulum penguin peony perch peregrine
petal phantom pharaoh pheasant phoenix pickle pigeon pigment pinnacle pinto pippin piranha pirate pistachio pixel plaid
plasma plaza plum plume pluto polar polaris polo pony poppy porch porcupine portal postman postmark potion prairie
presto pretzel prism prodigy prologue prophet propeller puffin puma pumpkin python pyramid
quail quantum quark quartz quill quilt quicken quiver quota quicksilver
rabbit raccoon radiant radish raft rambler rampart ranch ranger rapture raptor raven razor realm reef regal relic remix
render replica resin retool reverb rhino ridgeline rift ripple rivet robin rogue rook rover ruby rudder rumble runner runway
rust rustic rye
saber sabre saddle saffron saga salesman salmon samurai sandal sapphire satchel saturn savage savanna sawmill scarlet
schooner scooter scorpion scout scribe seagull seesaw segment sequoia serenade serpent sesame shamrock shark shepherd sherpa
shipyard shrimp shuttle sienna sierra silo siren sirius skylight skyline slate sled slingshot sloth smith snowflake
snug sojourn solstice sonar sonata sonnet sparrow spectrum sphinx spindle spiral spire splendid spruce squirrel
squid stallion stamina stampede stardust stargate starling statement steeple stellar stencil sterling stitch stork stout
stride sumac summon sunflower sunrise sunset surfer swallow swan sycamore symphony synapse syntax
tablet taco talisman talon tandem tango tangerine tapestry taro tarragon tasty tavern tempest tempo tender terra terrace
terrain theorem thimble thistle throne throttle thyme tidal timber titan titanium tofu topaz tornado tortoise totem
toucan tractor trailblazer tram trapeze travelers treadmill trellis tremor trident trillium trinity trio triton trooper
trophy tropic trumpet tuna tundra turbine turkey turtle tusk tweed twig twilight twine twitter typhoon
ultra unicorn upland uplift upright uproar uranus utopia uber
valiant valor vanguard vanilla vantage vapour vega vellum venom venus vera veranda vertex verve vesper vest viking villa
viola viper virgo visa visionary vista volcano vortex vulcan vulture
waffle wagon walnut walrus wand wander warbler warden warp wasabi wasp waterfall wave wayfarer weasel wedge whale
wharf whirl whistle whisk wick wigwam wildfire willow windmill windsor wisdom wise wishbone wizard wombat woodpecker wren
streak hinge monster railway safari progressive lemonade reformation amplitude quince roman copilot bumble front perplexity tinder
freshly quickly directly firmly openly simply honestly kindly bluntly
yak yarn yeti yonder yoyo yeast zap zen zenith zephyr zest zigzag zinc zodiac
sunday tuesday wednesday thursday friday saturday january february april june july august september october november december
`;

/** The commonest words of German, French and Spanish, with their accents. */
export const foreignWords = `
aber alle allem allen aller alles als also am an ander andere auch auf aus bei beim besser besten bin bis bist da dabei damit dann das
dass dein dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer
eines einfach einige er es etwa etwas euch euer für gegen gibt gut gute guten guter haben hat hatte hier hin hinter ich ihm ihn
ihnen ihr ihre ihrem ihren im immer in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine klar können lang leicht
machen man mehr mein meine mit möglich muss nach neben neu neue neuen nicht nichts noch nun nur ob oder ohne schnell schon sehr
sein seine seit sich sie sind so sollte sowie statt über uber um und uns unser unter vergleich viel viele vom von vor wann war
waren warum was weg weil welche wenig wenn wer werden wie wieder wir wird wo wollen wurde würde zeit zu zum zur zusammen zwischen
haus stadt land welt tag woche jahr leben arbeit kunde kunden preis preise geld frau mann kind kinder wasser licht stern sterne
sonne blume wolke blitz bank markt laden weg ziel idee kraft freude glück leise klarna stark frisch grün blau rot schwarz

à afin ai aime ainsi alors après au aucun aussi autre autres aux avant avec avez avoir bien bon bonne car ce cela celle celui
ces cet cette ceux chaque chez choix comme comment contre dans de depuis des deux donc dont du elle elles en encore entre est et
été être eux faire fait faut fois grand grande il ils je jour jusqu la là le les leur leurs lui ma mais mal même mes moi moins
mon ne ni non nos notre nous on ou où par parmi pas pendant petit peu peut plus plusieurs pour pourquoi prix puis quand que
quel quelle quelles quels qui quoi sa sans se selon ses si son sont sous sur ta te tes toi ton toujours tous tout toute toutes très
trop tu un une vers vie voici voilà vos votre vous vrai vraiment maison ville monde temps année eau soleil lune étoile fleur
libre orange carrefour relais marché champion simple nature vite doux lumière

ahora al algo algún alguna algunos ante antes aquí así aún aunque bajo bastante bien bueno buena cada casi como cómo con contra
cual cuál cuando cuándo de del desde después día días donde dónde dos durante él ella ellos en entonces entre era eres es esa ese eso
esta está este esto fue fueron gran grande ha hace hacer hacia hasta hay he hoy la las le les lo los luego más me mejor mejores menos
mi mientras mis misma mismo mucho mucha muchos muy nada ni ningún no nos nosotros nuestro nueva nuevo o otra otras otro otros para
pero poco podría por porque pues puede que qué quien quién sea según ser si sí sido siempre sin sino sobre solo sólo son su
sus también tan tanto te tener ti tiempo tiene todas todo todos tu tus un una uno usted ustedes vez vida y ya yo casa ciudad mundo año
agua sol luna estrella flor corazón natural zara verano mango
`;

/** Words that English always writes with a capital, though they are not names of brands: their capital proves nothing. */
export const alwaysCapital = `monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december english french german spanish european american british chinese japanese indian`;
