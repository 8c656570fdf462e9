import type { Intent } from './intents.ts';

/** The word in a template that represents the niche. */
export const NICHE = '{niche}';

/**
 * Prompt set v1. Frozen: to change a letter of it means a new version, because results of different prompts must not be
 * compared. The niche is a bare noun phrase ("CRM for dentists", "dentist in Lyon"), so no template needs its article or
 * its plural. No year, no brand, no "rank them".
 */
export const promptsV1: Readonly<Record<Intent, readonly string[]>> = {
  discovery: [
    'Best {niche}?',
    'What are the top options for {niche} right now?',
    'I am looking for {niche}. What is out there?',
    'Which names should I know when it comes to {niche}?',
    'Can you suggest a few options for {niche}?',
  ],
  recommendation: [
    'What would you recommend to a small business: {niche}?',
    'Which {niche} would you recommend to a beginner?',
    'We are a large team with many people. Which {niche} fits us?',
    'I need {niche} for my family. What do you suggest?',
    'Which {niche} do professionals use?',
  ],
  problem: [
    'I am overwhelmed and need help quickly. Which {niche} should I look at?',
    'My current solution is too slow and too complicated. Which {niche} is easier?',
    'I keep losing time with this. Which {niche} would save me the most work?',
    'I had a bad experience before. How do I find {niche} that I can rely on, and which would you pick?',
    'I have to decide this week: {niche}. What should I go for?',
  ],
  comparison: [
    'Compare the leading options for {niche}.',
    'What are the main differences between the most popular options for {niche}?',
    'Pros and cons of the best-known options for {niche}?',
    'I made a shortlist for {niche}. Which names should be on it, and how do they differ?',
    'Which {niche} has the most complete offer, and which is the simplest?',
  ],
  price: [
    'What is the cheapest {niche} that is still good?',
    'Is there free {niche}, or with a free trial?',
    'Which {niche} gives the best value for money?',
    'Which {niche} is worth paying more for?',
    'I have a tight budget. Which {niche} should I choose?',
  ],
  trust: [
    'What is the most reliable {niche}?',
    'Which {niche} has the best customer support?',
    'Which {niche} is the safest choice for my data and my money?',
    'What are lesser-known alternatives to the market leader in {niche}?',
    'I want to switch. Which {niche} do people move to?',
  ],
};
