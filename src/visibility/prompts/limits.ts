/** How many questions of its own a buyer may ask. */
export const MIN_OWN_PROMPTS = 6;
export const MAX_OWN_PROMPTS = 100;
/** How long each may be, in UTF-16 units. */
export const MIN_OWN_PROMPT_CHARS = 8;
export const MAX_OWN_PROMPT_CHARS = 300;
