const whatIsIt =
  'A cold frame is an unheated box, open to the soil below and closed by a tilted lid of glass or plastic. The lid lets daylight in, the walls hold still air, and the soil gives back at night the warmth that it took up by day.';
const howWarm =
  'Our cold frames were on average 4.2 °C warmer than the open bed at dawn. We measured twelve frames over 90 days in the winter of 2025, with one logger inside and one outside each box.';
const whenToOpen =
  'Open the lid of a cold frame on every dry morning when the air is above 5 °C, and close it two hours before sunset. Young plants suffer more from a closed lid on a bright day than from a cool breeze.';

/** Questions of the guide with their answers, as its FAQPage node repeats them. */
export const faq = [
  ['What is a cold frame?', whatIsIt],
  ['How much warmer is a cold frame?', howWarm],
  ['When should you open the lid?', whenToOpen],
] as const;

export const QUOTE = 'Most people lose more seedlings to a closed lid in April than to frost in February.';

/** The guide that the good site is audited by: figures with sources, a named quotation, questions with short answers. The article as its Markdown copy serves it; the HTML is rendered from the same text. */
export const article = `# Cold frames: what they do and how to build one

A cold frame is a low box with a sloping clear lid that keeps wind and frost off young plants. The guide below explains what cold frames do, what we saw in ours, and how to build one from a single sheet of glazing.

## Key points

Four findings are worth keeping in mind before you start to build or buy anything for the garden.

- A frame buys warmth at night, and the gain is greatest when the sky is clear.
- The lid matters more than the walls, because most of the heat leaves through the top.
- Air must move by day, or mould will take the seedlings that the frost has spared.
- A frame that you can lift with one hand is a frame that you will open in time.

Each of the points has a section of its own further down, with the figures and where they come from.

## What is a cold frame?

${whatIsIt}

Gardeners have used the idea since Roman times. The [history of the walled garden](https://history.example.org/walled-garden) tells how growers covered cucumbers with sheets of thin stone that let the light through. Glass came much later, and for a long time only large houses could pay for it. Today a used window and six boards will do the same work. The box needs no power and no fuel, so it costs nothing to run. Its one weakness is that it cannot look after itself, and somebody must come by twice a day.

## How much warmer is a cold frame?

${howWarm}

According to [a field trial of Hollowell College](https://extension.hollowell.edu/trials/cold-frames), lettuce in frames was ready 23 days earlier than in the open, and losses to frost fell from 31% to 8%. The same trial found that a double lid added 1.5 °C at a price of 40% less light.

Vapour pressure deficit (VPD) fell by 35% in our boxes. Photosynthetically active radiation (PAR) was 12% lower below old glass than below new glass, which is close to the 14% that [a later study](https://doi.org/10.5555/coldframe.2024) reports for a whole season.

> ${QUOTE}
> — Marta Lindqvist, head gardener at Hollin Hill

## How to build a cold frame

Building a cold frame takes one afternoon, a saw, a drill and a helper who can hold the lid. Choose a place that gets sun from late morning on, and turn the low side of the box to the south. Old scaffold boards are cheap and last for years, but leave out any wood that was treated for railways.

1. Cut two side boards so that the back is a hand higher than the front.
2. Screw the four walls to square posts at the corners, and check that the box sits level.
3. Dig the walls a little into the soil, so that no wind can creep in below them.
4. Fix the lid to the back wall with two hinges, and put a seal of felt below its edge.
5. Cut a notched stick that holds the lid open at three heights.

![A wooden cold frame with its lid propped open on a bright winter morning](/images/cold-frame.jpg "Our test frame with the lid on the second notch.")

Let the finished box stand for a week before you sow, since the soil inside needs some time to warm up.

## Cold frame vs. greenhouse

A cold frame and a greenhouse follow the same idea at two sizes. The frame is cheap, quick to build and easy to move, and it warms up within an hour of sunrise. The greenhouse holds a person, keeps an even temper and can be heated, but it asks for a foundation and a good deal of money. Many gardeners begin with the box and add the house once they know what they like to grow.

Table: A cold frame and a small greenhouse side by side
| Property | Cold frame | Greenhouse |
| --- | --- | --- |
| Time to build | One afternoon | Two weekends |
| Warms up | Within an hour | By midday |
| Can be heated | No | Yes |

Neither of the two is better for every garden, and the table shows where each of them has its strong side.

## When should you open the lid?

${whenToOpen}

A thermometer with a memory tells you what you have missed. If the night was mild and the day was hot, the lid has been closed for too long. Water in the morning only, and wipe the drops from the glass when you do. Our [notes on hotbeds](/guides/hotbeds) describe how a layer of fresh manure can add more warmth from below, and our [notes on seed trays](/guides/seed-trays) say which seeds gain most from it.

You may share the text of this guide under the [Creative Commons licence](https://creativecommons.org/licenses/by/4.0/) that the footer names.
`;

export const hotbeds = `# Hotbeds: warmth from below

A hotbed is a frame that stands on fresh manure, which heats the soil while it rots. Growers near Paris sold melons in May with nothing else, and the method still works in a back garden.

## How a hotbed is layered

Pile the manure knee high, tread it down and cover it with a hand of good soil. The heap grows hot within days and then cools slowly over two months. Wait until a finger can rest in the soil without pain, then sow radish and early lettuce in rows.

## What can go wrong

Dry straw gives little heat, and wet straw gives none at all. A heap that steams in the first week is on its way. One that smells of vinegar lacks air and should be turned. Keep the lid open by a finger at night during the first week, because the gases that rise from young manure scorch the leaves.
`;

export const seedTrays = `# Seed trays: which size for which seed

A seed tray is a shallow box with holes below and no more soil than a seedling needs. The right size saves water and compost, and it spares the roots when the time comes to plant out.

## Small seeds

Lettuce, leek and most herbs do well in trays with many small cells. Press the soil firmly, sow two seeds in each cell and remove the weaker plant. Water from below, so that the surface stays dry and the stems stay free of rot.

## Large seeds

Beans, squash and sunflowers want deep pots of their own from the start. Their roots run down before the first leaf opens. A pot of newspaper is enough, and you can plant it out as it is without touching a root.
`;

export const about = `# About Hollin Hill

Hollin Hill is a trial garden near Settle in Yorkshire. It was founded in 2009 by Marta Lindqvist and Owen Firth, who had run the walled garden of a nearby estate before.

## What we do

We grow vegetables without heat or power and publish what we learn. Every figure on our pages comes from our own beds or from a source that we name. Six people work here, and four of them write.

## How we are paid

Readers pay for our printed almanac, and a county grant covers the weather stations. We take no money from makers of tools or glass, and no product was given to us for any of the trials that we describe.
`;

export const author = `# Marta Lindqvist

Marta Lindqvist has been head gardener at Hollin Hill since the garden was founded. She trained at a botanical garden in Uppsala and kept a walled garden in Yorkshire for nine years. Her notes on frames, hotbeds and seed saving appear in the almanac every winter, and she answers letters about them herself.

## Writing

Marta writes about growing without heat, about old varieties and about the mistakes she made with both. Two of her trials were run together with a college nearby, and the raw numbers of each can be had from the garden on request.
`;

export const developers = `# Frost forecast API

The frost forecast API tells by station how likely frost is during the coming night. It is free to read, needs no key and answers in JSON.

## First request

Ask for a station by its identifier. The answer holds the lowest expected temperature and the chance of frost in percent.

\`\`\`bash
curl https://acme.example/api/v1/frost/settle
\`\`\`

\`\`\`json
{ "station": "settle", "lowest_celsius": -2.1, "frost_percent": 80 }
\`\`\`

## Rules of use

Please ask no more than once in ten minutes for each station, since the forecast does not change more often. The full description stands in the [OpenAPI document](/openapi.json), and the address for questions is on our [contact page](/contact).
`;

export const home = `# Hollin Hill: growing without heat

Hollin Hill is a trial garden that shows how to grow vegetables early and late without heat or power. The guides on these pages rest on trials in our own beds, and every figure names its source.

## Guides

Start with the guide to cold frames, which explains the box, the lid and the mistakes that cost seedlings. The notes on hotbeds and on seed trays go on from there. New guides appear about once a month, and old ones are revised when a trial gives us reason to.

## Frost forecast

Our four weather stations feed a small forecast that anybody may use. Programs can read it through an API, and people can see it on the board at the garden gate.
`;

export const contact = `# Contact

Write to the garden by post or by mail, or come by on a Thursday. Hollin Hill, 4 Goldielands Lane, Settle, BD24 9QJ. Telephone +44 1729 555 0142, mail post@acme.example. Letters about plants are answered by the gardener who knows most about them, as a rule within a week.
`;

export const privacy = `# Privacy

This site sets no cookies and keeps no record of who reads it. The server writes an error log without addresses, which is deleted after seven days. If you subscribe to the letter, your address is stored until you leave the list, and it is given to nobody.
`;

export const terms = `# Terms of use

The texts may be shared under the licence that stands below each page. The forecast is given without any promise that it is right. Please do not plant a whole crop because a computer said so, and look at the sky as well.
`;
