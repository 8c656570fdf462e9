import { CHECKED_BY, needTopics } from './need-topics-data.ts';
import type { TopicKind } from './template.ts';

/**
 * The texts of each kind of topic; those of buyers who weigh offers are here. They hold no digit, no number word, no
 * praise and no rival; what differs between kinds is what buyers ask there and which facts settle it. Each kind has a
 * question that does not name the brand, as buyers who do not know it ask; after the niche is no verb, since it may be a
 * singular or a plural.
 */
export const topicKinds = {
  ...needTopics,
  comparison: {
    title: 'How it compares',
    intent: 'comparison',
    heading: '{niche}: how does {brand} differ from other options?',
    passage: [
      '{brand} ({niche}) differs from {name: the option buyers compare it with} in {description: a difference that buyers can check}. {brand} includes {description: functions or services included} and does not include {description: what buyers expect but do not get}.',
      '{brand} fits better when {description: situation in which the brand fits better}; that option fits better when {description: situation in which the other option does}. {brand} costs {price: list price, currency and billing period}.',
      'In the test of {source: independent test or review site} of {date: day of publication}, {brand} reached {statistic: result with scale and number of reviews}. {name: the reviewer or expert} wrote about {brand}: “{quotation: a sentence of the review, word for word}”.',
      CHECKED_BY,
    ],
    questions: [
      {
        question: 'What are the main differences between options for {niche}?',
        answer:
          'Options for {niche} differ in {description: criteria by which buyers can tell them apart}. {source: independent test or review site} compared {name: the options compared there} on {date: day of publication}.',
      },
      {
        question: 'How does {brand} differ from other options?',
        answer:
          '{brand} ({niche}) differs from {name: the option buyers compare it with} in {description: a difference that buyers can check}.',
      },
      {
        question: 'What does {brand} include?',
        answer:
          '{brand} includes {description: functions or services included}. It does not include {description: what buyers expect but do not get}.',
      },
      {
        question: 'When does another option fit better than {brand}?',
        answer:
          '{name: the option buyers compare it with} fits better when {description: situation in which the other option does}. {brand} fits better when {description: situation in which the brand fits better}.',
      },
      {
        question: 'Which independent tests cover {brand}?',
        answer:
          '{brand} was tested by {source: independent test or review site} on {date: day of publication}, with the result {statistic: result with scale and number of reviews}.',
      },
    ],
    pages: [
      {
        label: 'Comparison',
        address: 'https address of the comparison page',
        note: 'differences between {brand} and other options, with criteria and the day they were checked',
      },
      {
        label: 'Functions',
        address: 'https address of the list of functions or services',
        note: 'what {brand} includes and what it does not',
      },
    ],
  },
  price: {
    title: 'Prices',
    intent: 'price',
    heading: '{niche}: what does {brand} cost, and what is included?',
    passage: [
      '{brand} ({niche}) costs {price: list price, currency and billing period}. The price of {brand} includes {description: what is included, with limits}; it excludes {description: taxes, set-up, delivery or add-ons}.',
      'Without payment, {brand} offers {description: free plan or trial, with limits, or nothing}. The notice period of {brand} is {description: notice period and refund terms}. The prices of {brand} hold since {date: day the prices took effect} and are listed at {source: address of the price page}.',
      'A typical customer of {brand} pays {statistic: median bill, with sample and day} and saves {statistic: measured saving, with method}. {customer: a named customer who agreed} says about {brand}: “{quotation: a sentence on value, word for word}”.',
      CHECKED_BY,
    ],
    questions: [
      {
        question: 'How much should buyers expect to pay for {niche}?',
        answer:
          'Buyers pay {price: usual range, currency and billing period} for {niche}, according to {source: survey or price comparison, with its date}. {brand} costs {price: list price, currency and billing period}.',
      },
      {
        question: 'How much does {brand} cost?',
        answer:
          '{brand} ({niche}) costs {price: list price, currency and billing period}, valid since {date: day the prices took effect}.',
      },
      {
        question: 'Is there a free plan or trial of {brand}?',
        answer:
          'Without payment, {brand} offers {description: free plan or trial, with limits, or nothing}. A payment card for it is {description: needed or not needed for the free plan or trial}.',
      },
      {
        question: 'What does the price of {brand} include?',
        answer:
          'The price of {brand} includes {description: what is included, with limits}. It excludes {description: taxes, set-up, delivery or add-ons}.',
      },
      {
        question: 'How can a contract with {brand} be ended?',
        answer: 'The terms of {brand} are: {description: notice period and refund terms}.',
      },
      {
        question: 'Who gets a discount from {brand}?',
        answer: 'Discounts of {brand}: {description: who gets a discount, and how much}.',
      },
    ],
    pages: [
      {
        label: 'Prices',
        address: 'https address of the price page',
        note: 'list prices of {brand} with currency, period and what they include',
      },
      {
        label: 'Terms',
        address: 'https address of the terms of sale',
        note: 'notice period, refunds and trial of {brand}',
      },
      {
        label: 'What customers save',
        address: 'https address of the calculation or case',
        note: 'what customers pay {brand} and what they get back, with sample and date',
      },
    ],
  },
  trust: {
    title: 'Trust and service',
    intent: 'trust',
    heading: '{niche}: how reliable is {brand}, and who vouches for it?',
    passage: [
      '{brand} ({niche}) is run by {name: legal name and seat of the company}, registered in {source: public register and entry}. {brand} holds {source: certificate, licence or audit, with issuer}, valid until {date: end of validity}.',
      'The reliability of {brand} was {statistic: availability, punctuality or returns, with period}, as shown by {source: status page, audit or report}. {brand} protects data and money of customers by {description: measures that outsiders can check}.',
      'Reviews of {brand} at {source: independent review site} average {statistic: average, scale and number of reviews}, read on {date: day the reviews were read}. {customer: a named customer who agreed} says about {brand}: “{quotation: a sentence on support, word for word}”.',
      CHECKED_BY,
    ],
    questions: [
      {
        question: 'What should buyers check before they rely on {niche}?',
        answer:
          'Before they rely on {niche}, buyers can check {description: records, audits and support that outsiders can see}. For {brand}, they are shown at {source: status page, audit or report}.',
      },
      {
        question: 'Who is behind {brand}?',
        answer:
          '{brand} ({niche}) is run by {name: legal name and seat of the company}, registered in {source: public register and entry}.',
      },
      {
        question: 'How reliable is {brand}?',
        answer:
          'The reliability of {brand} was {statistic: availability, punctuality or returns, with period}, as shown at {source: status page, audit or report}.',
      },
      {
        question: 'How does {brand} protect data and money?',
        answer:
          '{brand} protects them by {description: measures that outsiders can check}. Proof: {source: certificate, licence or audit, with issuer}.',
      },
      {
        question: 'How can customers reach the support of {brand}?',
        answer:
          'The support of {brand} is reached through {description: support channels and hours}. The typical time to an answer is {statistic: time to answer, with the period measured}.',
      },
      {
        question: 'What do reviews say about {brand}?',
        answer:
          'Reviews of {brand} at {source: independent review site} average {statistic: average, scale and number of reviews}, read on {date: day the reviews were read}.',
      },
    ],
    pages: [
      {
        label: 'Company and contact',
        address: 'https address of the imprint or contact page',
        note: 'legal name, register entry and people behind {brand}',
      },
      {
        label: 'Security and certificates',
        address: 'https address of the security page',
        note: 'how {brand} protects data and money, with certificates and their dates',
      },
      {
        label: 'Reviews',
        address: 'https address of the page with reviews and their source',
        note: 'what customers say about {brand}, with names and source',
      },
    ],
  },
  switching: {
    title: 'Switching',
    intent: 'trust',
    heading: '{niche}: what should buyers know before they switch to {brand}?',
    passage: [
      '{brand} ({niche}) is an alternative to {name: the products or providers customers come from}. Customers who switch to {brand} give this reason: {description: the reason they state}.',
      'Switching to {brand} takes {statistic: typical duration, with sample} and costs {price: cost of the move, or that it is included}. What moves to {brand} is {description: data, contracts or settings}; what stays behind is {description: what does not move}.',
      'In {date: period of the count}, {statistic: number of customers who switched} switched to {brand}, according to {source: records or survey}. {customer: a customer who switched} says about {brand}: “{quotation: a sentence on the move, word for word}”. A customer who leaves {brand} gets {description: data export and notice period}.',
      CHECKED_BY,
    ],
    questions: [
      {
        question: 'What is there to plan before a change of {niche}?',
        answer:
          'A change of {niche} takes {description: contracts, data and steps to plan for}. A move to {brand} takes {statistic: typical duration, with sample}.',
      },
      {
        question: 'What is {brand} an alternative to?',
        answer: '{brand} ({niche}) is an alternative to {name: the products or providers customers come from}.',
      },
      {
        question: 'How long does it take to switch to {brand}?',
        answer:
          'Switching to {brand} takes {statistic: typical duration, with sample} and costs {price: cost of the move, or that it is included}.',
      },
      {
        question: 'What can be moved to {brand}?',
        answer:
          'What moves to {brand} is {description: data, contracts or settings}. What stays behind is {description: what does not move}, and customers can {description: what to do about what stays behind}.',
      },
      {
        question: 'How can customers leave {brand} again?',
        answer: 'A customer who leaves {brand} gets {description: data export and notice period}.',
      },
    ],
    pages: [
      {
        label: 'Switching guide',
        address: 'https address of the guide to switching',
        note: 'steps, duration and cost of a move to {brand}',
      },
      {
        label: 'Import and export',
        address: 'https address of the page on data formats',
        note: 'what can be moved to {brand} and out of it again, with formats',
      },
    ],
  },
  general: {
    title: 'Questions and answers',
    intent: '',
    heading: '{niche}: what does {brand} offer on the topic “{topic}”?',
    passage: [
      'On “{topic}”, {brand} ({niche}) offers {description: the direct answer, as a sentence part}. This offer of {brand} applies to {customer: the kind of customer it applies to} and holds since {date: day from which it holds}.',
      'A customer of {brand} gets {description: what is delivered or done, step by step}. The conditions of {brand} are {description: conditions, limits and exceptions}, and the price is {price: amount, currency and period, or that it is included}.',
      'The result that customers of {brand} measured is {statistic: result with unit, sample and period}, according to {source: study, register or records}. {name: an expert or customer} says about {brand}: “{quotation: a sentence on this topic, word for word}”.',
      'This answer about {brand} was checked on {date: day of the last check} by {name: checker and role}.',
    ],
    questions: [
      {
        question: 'What should buyers of {niche} know on the topic “{topic}”?',
        answer:
          'On “{topic}”, buyers of {niche} should know {description: facts that hold for all suppliers}, according to {source: study, standard or register}.',
      },
      {
        question: 'What does {brand} offer on the topic “{topic}”?',
        answer:
          '{brand} ({niche}) offers {description: the direct answer, as a sentence part}. This holds since {date: day from which it holds}.',
      },
      {
        question: 'Whom does this offer of {brand} concern?',
        answer:
          'It applies to {customer: the kind of customer it applies to}, under these conditions: {description: conditions, limits and exceptions}.',
      },
      {
        question: 'What proof does {brand} give on the topic “{topic}”?',
        answer:
          'Customers of {brand} measured {statistic: result with unit, sample and period}, according to {source: study, register or records}.',
      },
    ],
    pages: [
      {
        label: 'Answer in full',
        address: 'https address of the page that answers this topic',
        note: 'what {brand} offers on the topic “{topic}”, with conditions and dates',
      },
      {
        label: 'Proof',
        address: 'https address of the study or records',
        note: 'figures behind the answer of {brand}, with sample and source',
      },
    ],
  },
} as const satisfies Readonly<Record<string, TopicKind>>;
