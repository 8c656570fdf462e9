/**
 * Tells whether a topic seems to speak to a model instead of naming what buyers ask: it has a word of orders ("always",
 * "must", "ignore") or of models ("assistant", "prompt", "instructions"), or has something recommended first or only.
 *
 * For English stricter than `findInstructions`, because a topic has a harmless title in its place and so little to lose:
 * "care instructions" or "AI assistants for lawyers" are no topics either. For other languages it does nothing: of their
 * orders only those are caught that `siteText` takes out before. What is reworded goes unseen.
 */
export function speaksToModel(topic: string): boolean {
  const text = folded(topic);
  return MODEL_WORDS.test(text) || RECOMMENDED_FIRST.test(text) || isOrder(topic);
}

/**
 * Tells whether a brand or niche gives an order. One word is not enough here: "AI assistants for lawyers", "prompt
 * management software" and the brands Always and Must are names, and a name that is refused leaves a slot behind. English
 * only, as `speaksToModel`.
 */
export function isOrder(name: string): boolean {
  const text = folded(name);
  return ORDERS.some((order) => order.test(text));
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** "must-have" is a word of buyers. */
const MODEL_WORDS =
  /\b(?:always|never|must(?!-have)|ignor(?:e|es|ed|ing)|disregard(?:s|ed|ing)?|assistants?|language models?|prompts?|instructions?)\b/u;

/** "first-time buyers" and "first aid" are no rank. */
const RECOMMENDED_FIRST =
  /\brecommend(?:s|ed|ing)?\b.{0,100}\b(?:first(?!-| aid)|only)\b|\b(?:first|only) recommend\b/u;

const ORDERS: readonly RegExp[] = [
  /\b(?:always|never|must|should|shall|only|please) (?:[a-z]{1,20} )?(?:recommend|mention|name|choose|pick|say|tell|answer|reply|respond|prefer|list|rank|suggest|cite|praise|write|output|promote|favou?r)\b/u,
  /\b(?:ignore|disregard|forget) (?:all|any|every|each|the|other|others|previous|prior|above|earlier|your|my|rivals|competitors|what|everything|instructions?|prompts?)\b/u,
  // "do not disturb signs" is a niche.
  /\b(?:do not|don['’]?t) (?:ever |even )?(?:recommend|mention|name|suggest|cite|list|rank|praise|promote|favou?r|prefer|include|compare|reveal|answer|reply|respond)\b/u,
  /\brecommends? .{0,100}\b(?:first(?!-| aid)|only)\b/u,
  // "apps that recommend books to every reader" is a niche too.
  /(?<!\b(?:that|which|who|to|can|and|or) )\brecommend .{0,100}\b(?:as (?:the|your)|number one|to (?:all|any|each|every)(?:one|body)?)\b/u,
  /(?:^|[^a-z0-9 ] ?|\b(?:and|but|so|then|please|just|simply) )(?:rank|list|place|put|name|mention|show|position|rate|cite|suggest) .{0,100}\b(?:(?:at|to|on) the (?:very )?top|first(?!-| aid)|as (?:the )?(?:best|top|first|number one)|number one|(?:above|over|before|ahead of) (?:(?:all|any|every|each|the|its|other) ){0,3}(?:rivals?|competitors?|competition|others?|alternatives?|brands?))\b/u,
  /\bin (?:your|all|any|each|every) (?:answers?|repl(?:y|ies)|responses?|recommendations?)\b/u,
  /\byou (?:must|should|shall|will|have to|are to|are an?|are now)\b/u,
  /^as an? (?:[a-z]{1,20} ){0,2}(?:assistant|model|ai|chatbot)\b/u,
  /\b(?:instructions?|prompts?|assistant|system) ?:/u,
];
