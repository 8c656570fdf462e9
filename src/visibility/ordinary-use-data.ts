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
earned earns edges emphasises emphasizes features fits feels founded remains shines simplifies shipped seems seemed
ist war hat hatte kann bietet macht kostet verkauft liefert hilft eignet wird wurde gilt und oder passt
est était peut offre propose coûte vend permet fait convient et ou reste
es era ha tiene puede ofrece vende cuesta permite hace y o sirve
`;

/** Words that stay words when a comma or "for" follows them at the start of a sentence: adverbs. A verb shows a name. */
export const adverbs = `
away later together indeed perhaps maybe instead finally simply quickly openly honestly kindly well visible ready public free open
meanwhile further overall ever again always never once
`;

/** Words that can be the subject of a sentence: neither a verb nor a comma behind them shows a name. */
export const pronouns = `
nothing everything something anything none all most other others one next now then here there today tomorrow still already so
however only even first second third it we you they he she who what which when where this that these those many few some any
`;

/** What makes a compound of a common word: "target audience", "ring size", "max length". */
export const compoundNouns = `
account accounts age amount amounts analysis application area areas audience audiences bearing binder budget budgets button buyer
buyers capacity category charge checklist client clients cost country customer customers data date dates
deadline distance duration feature file files finger fingers format frequency goal goals group groups heat height income
keyword keywords language languages length level levels limit limits line list load location locations mark market marketing markets
number numbers option options page pages percentage persona personas platform point points population power
price prices pricing process range ranges rate rates ratio reach requirement requirements result results revenue road roads
role roles score sector segment segments shape shaped shirt site size sizes speed spend sheet step steps system systems team teams
temperature term terms text time times tip tips tone tones type types usage use user users value values version view volume
weight width words year years zone zones
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

/** What stands before a hyphen and still names the brand: "non-Apple". */
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
Front Page|Base Camp|Mount Everest|Dash Cam|Door Dash|Ghost Kitchen|Casper Ruud|Golden Ratio|Purple Heart|Deep Purple|Allied Universal
`;

/** Nouns that follow a short name when it is a symbol: oxygen sensors, axes, factors. */
export const symbolNouns = `sensor sensors saturation axis factor ray rays level levels coordinate coordinates value values chromosome position`;

/** Common words that head a column or open a line as its label: "Target: freelancers". */
export const labelWords = `
target max access capital charge contact credit current default express focus goal match model next notion package platform public range
record roles root signal source standard stage state status support term type user value version visible
`;
