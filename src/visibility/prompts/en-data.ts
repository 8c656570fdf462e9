import type { LanguageWordings } from './wordings.ts';

/**
 * Prompt set v2 in English. Frozen, as are those of the other languages. The niche is a singular or a plural without an
 * article: it is never the subject of a verb that would have to agree with it.
 */
export const promptsEn: LanguageWordings = {
  discovery: [
    'Best {niche}?',
    'Which {niche} would you look at first?',
    {
      local: 'I do not know the area at all. Which {niche} should I know about?',
      other: 'I know nothing about this market. Which {niche} should I know about?',
    },
    'I am looking for the right {niche}. Can you give me a few names?',
    {
      local: 'Which {niche} do people in the area usually choose?',
      other: 'Which {niche} do most people choose?',
    },
  ],
  recommendation: [
    {
      local: 'I have just moved here. Which {niche} would you recommend?',
      other: 'I have no experience with this. Which {niche} would you recommend?',
    },
    'I am hard to please. Which {niche} would suit me?',
    'I have very little time. Which {niche} would you recommend?',
    'I am asking for someone who likes things simple. Which {niche} would suit them?',
    {
      local: 'Which {niche} do people who know the area well recommend?',
      other: 'Which {niche} do experts choose for themselves?',
    },
  ],
  problem: [
    'I am in a hurry and cannot spend days comparing. Which {niche} should I choose?',
    {
      product: 'I am not happy with what I have now. Which {niche} should I try instead?',
      service: {
        local: 'I am not happy with where I go now. Which {niche} should I try instead?',
        other: 'I am not happy with the provider I have now. Which {niche} should I try instead?',
      },
    },
    'I had a bad experience before. Which {niche} can I really rely on?',
    'There is so much choice that I cannot decide. Which {niche} would you pick in my place?',
    'How do I find the right {niche}, and which would you pick?',
  ],
  comparison: [
    '{niche}: compare the best-known names.',
    {
      local: '{niche}: what are the main differences between the most popular places?',
      other: '{niche}: what are the main differences between the most popular choices?',
    },
    '{niche}: what are the pros and cons of the names that come up most often?',
    'I am making a shortlist. Which {niche} should be on it, and how do they differ?',
    'Which {niche} would you choose for simple needs, and which for demanding ones?',
  ],
  price: [
    'I cannot spend much. Which {niche} would still be a good choice?',
    {
      product: 'Which {niche} can I try out, or return if I am not satisfied?',
      service: 'Which {niche} would you trust to be open about prices?',
    },
    'Which {niche} would give me the best value for money?',
    'Which {niche} would be worth paying more for?',
    '{niche}: what should I expect to pay, and which names are fair on price?',
  ],
  trust: [
    'Which {niche} would you call the most reliable?',
    {
      product: 'Which {niche} will give me the least trouble once I have bought?',
      service: 'Which {niche} will put things right if something goes wrong?',
    },
    'Which {niche} do customers praise most?',
    'Apart from the best-known names, which {niche} would you recommend?',
    'Which {niche} do people switch to, and why?',
  ],
};
