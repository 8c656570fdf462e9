import type { LanguageWordings } from './wordings.ts';

/**
 * Prompt set v2 in English. Frozen, as are those of the other languages. The niche is a singular or a plural without an
 * article: it is never the subject of a verb that would have to agree with it.
 */
export const promptsEn: LanguageWordings = {
  discovery: [
    'Which {niche} do you recommend?',
    {
      local: 'Which {niche} would you try first?',
      other: 'Which {niche} would you look at first?',
    },
    {
      local: 'I do not know the area at all. Which {niche} should I know about?',
      other: 'I know nothing about this. Which {niche} should I know about?',
    },
    'I am looking for the right {niche}. Can you give me a few names?',
    'Which {niche} do most people choose?',
  ],
  recommendation: [
    {
      local: 'I have just arrived in the area. Which {niche} would you recommend?',
      other: 'I have no experience with this. Which {niche} would you recommend?',
    },
    'I am hard to please. Which {niche} would suit me?',
    'I have very little time. Which {niche} would you recommend?',
    'Which {niche} would you recommend to someone who likes to keep things simple?',
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
        local: 'I am not happy with my current choice. Which {niche} should I try instead?',
        other: 'I am not happy with the provider I have now. Which {niche} should I try instead?',
      },
    },
    'I have had a bad experience before. Which {niche} can I really rely on?',
    'There is so much choice that I cannot decide. Which {niche} would you pick in my place?',
    '{niche}: what should I look out for when choosing, and which would you pick?',
  ],
  comparison: [
    '{niche}: compare the best-known names.',
    '{niche}: what are the main differences between the most popular choices?',
    '{niche}: what are the pros and cons of the names that come up most often?',
    '{niche}: I am making a shortlist. Which names should be on it, and how do they differ?',
    'Which {niche} would you choose for simple needs, and which for demanding ones?',
  ],
  price: [
    'I cannot spend much. Which {niche} would still be a good choice?',
    {
      product: 'Which {niche} can I try before I buy, or return if I am not satisfied?',
      service: 'Which {niche} would give me clear prices up front?',
    },
    'Which {niche} would give me the best value for money?',
    'Which {niche} would be worth paying more for?',
    '{niche}: what should I expect to pay, and who charges fair prices?',
  ],
  trust: [
    'Which {niche} would you call the most reliable?',
    {
      product: 'Which {niche} will give me the least trouble after the purchase?',
      service: 'Which {niche} will put things right if something goes wrong?',
    },
    'Which {niche} do people praise most?',
    'Apart from the best-known names, which {niche} would you recommend?',
    'Which {niche} do people switch to, and why?',
  ],
};
