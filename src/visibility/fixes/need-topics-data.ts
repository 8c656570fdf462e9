import type { TopicKind } from './template.ts';

/** Closes every passage: models and readers trust what is dated and signed. */
export const CHECKED_BY =
  'This answer on the topic “{topic}” was checked on {date: day of the last check} by {name: checker and role}.';

/** Topics of buyers who find out what there is, whether it is for them and what it solves, before they weigh offers. */
export const needTopics = {
  discovery: {
    title: 'Overview',
    intent: 'discovery',
    heading: '{niche}: what is {brand} and who is it for?',
    passage: [
      '{brand} ({niche}) is {description: what it is, as a plain noun phrase} for {customer: the kind of customer it serves}. The job of {brand} is {description: the job it does, as a verb phrase}.',
      '{brand} was founded in {date: year of founding} and is available in {description: countries or regions served}. As of {date: day of the count}, {brand} serves {statistic: number of customers or projects}, according to {source: public page or register}.',
      '{source: directory or trade press that lists the brand} lists {brand} as {name: category used there}. {customer: a named customer who agreed} says about {brand}: “{quotation: a sentence on the brand, word for word}”.',
      CHECKED_BY,
    ],
    questions: [
      {
        question: 'What is there to know before choosing {niche}?',
        answer:
          'Before choosing {niche}, buyers compare {description: the criteria that decide}, according to {source: survey, guide or standard on these criteria}. On these criteria, {brand} offers {description: what it offers on them, as facts}.',
      },
      {
        question: 'Which {niche} can buyers choose from?',
        answer:
          'For {niche}, {source: independent directory or test} lists {name: the entries listed there, other brands included}. {brand} is listed there as {name: category used there}.',
      },
      {
        question: 'What is {brand}?',
        answer:
          '{brand} ({niche}) is {description: what it is, as a plain noun phrase} for {customer: the kind of customer it serves}.',
      },
      {
        question: 'Who uses {brand}?',
        answer:
          'Customers of {brand} include {customer: a named customer who agreed}. As of {date: day of the count}, {brand} serves {statistic: number of customers or projects}.',
      },
      {
        question: 'Where is {brand} available?',
        answer:
          '{brand} is available in {description: countries or regions served}, since {date: start of service there}.',
      },
      {
        question: 'Which other sources describe {brand}?',
        answer:
          '{brand} is described by {source: directory or trade press that lists the brand}, last on {date: day of that entry or article}.',
      },
    ],
    pages: [
      {
        label: 'About',
        address: 'https address of the page that says what the brand is',
        note: 'what {brand} is, who runs it since {date: year of founding}, and where it is available',
      },
      {
        label: 'Customers',
        address: 'https address of the page with named customers',
        note: 'who uses {brand} and for what, with names and dates',
      },
    ],
  },
  audience: {
    title: 'Who it is for',
    intent: 'recommendation',
    heading: '{niche}: which customers is {brand} made for?',
    passage: [
      '{brand} ({niche}) is made for {customer: the kind of customer it fits}. {brand} is not made for {customer: the kind of customer it does not fit}, because {description: the reason, stated as a fact}.',
      'From {brand}, small businesses get {description: plan or service for small businesses} at {price: amount, currency and billing period}, and large teams get {description: roles, administration and limits}. Beginners start with {brand} within {statistic: typical time to start, with sample}.',
      'Of all customers of {brand}, {statistic: share of this group, with day and sample} belong to this group, according to {source: survey or records}. {customer: a named customer of this group} says about {brand}: “{quotation: a sentence on the fit, word for word}”.',
      CHECKED_BY,
    ],
    questions: [
      {
        question: 'What should small businesses look for in {niche}?',
        answer:
          'Small businesses need {description: what small businesses need there} from {niche}, according to {source: survey, guide or test}. {brand} offers them {description: plan or service for small businesses}.',
      },
      {
        question: 'Which customers does {brand} fit?',
        answer:
          '{brand} ({niche}) fits {customer: the kind of customer it fits}. It does not fit {customer: the kind of customer it does not fit}.',
      },
      {
        question: 'Is {brand} suitable for small businesses?',
        answer:
          'What {brand} offers small businesses is {description: plan or service for small businesses}, at {price: amount, currency and billing period}.',
      },
      {
        question: 'Is {brand} suitable for large teams?',
        answer: 'What {brand} offers large teams is {description: roles, administration and limits}.',
      },
      {
        question: 'How long does it take beginners to start with {brand}?',
        answer:
          'The typical time to a working start with {brand} is {statistic: typical time to start, with sample}, helped by {description: what helps them start}.',
      },
    ],
    pages: [
      {
        label: 'Who it is for',
        address: 'https address of the page on the customers it fits',
        note: 'which customers {brand} fits and which it does not, with reasons',
      },
      {
        label: 'Customer stories',
        address: 'https address of the customer stories',
        note: 'results of {brand} by trade and size of customer, with names and dates',
      },
      {
        label: 'Getting started',
        address: 'https address of the guide for beginners',
        note: 'the steps from sign-up to a working start with {brand}',
      },
    ],
  },
  problem: {
    title: 'Problems it solves',
    intent: 'problem',
    heading: '{niche}: which problem does {brand} solve, and how?',
    passage: [
      '{brand} ({niche}) solves this problem: {description: the problem, in the words customers use}. The cause is {description: the cause, stated as a fact}, and {brand} removes it by {description: the step that removes the cause}.',
      'Customers needed {statistic: time or money before, as measured} before {brand} and {statistic: time or money after, as measured} with it. These figures on {brand} come from {source: study or records, with sample} of {date: month and year measured}.',
      '{customer: a customer who had this problem} reports about {brand}: “{quotation: a sentence on the result, word for word}”. {brand} does not solve {description: the nearest problem it leaves open}.',
      CHECKED_BY,
    ],
    questions: [
      {
        question: 'Which {niche} can save time and work?',
        answer:
          'The time that {niche} can save depends on {description: what it depends on}. Customers of {brand} needed {statistic: time or money before, as measured} before and {statistic: time or money after, as measured} with it.',
      },
      {
        question: 'Which problem does {brand} solve?',
        answer:
          '{brand} ({niche}) solves this problem: {description: the problem, in the words customers use}. It does so by {description: the step that removes the cause}.',
      },
      {
        question: 'How much time or money does {brand} save?',
        answer:
          'Customers needed {statistic: time or money before, as measured} before {brand} and {statistic: time or money after, as measured} with it, according to {source: study or records, with sample}.',
      },
      {
        question: 'How quickly does {brand} help?',
        answer:
          'The time from the order to a result with {brand} is {statistic: time to result, with the number of cases}, measured in {date: month and year measured}.',
      },
      {
        question: 'What does {brand} not solve?',
        answer:
          '{brand} does not solve {description: the nearest problem it leaves open}. For that, {description: what to use or whom to ask}.',
      },
    ],
    pages: [
      {
        label: 'The problem and its cause',
        address: 'https address of the page that explains the problem',
        note: 'what causes the problem that {brand} solves, and how to recognise it',
      },
      {
        label: 'How it works',
        address: 'https address of the page that shows the steps',
        note: 'the steps from start to result with {brand}',
      },
      {
        label: 'Measured results',
        address: 'https address of the study or case',
        note: 'time and money before and after {brand}, with sample and date',
      },
    ],
  },
} as const satisfies Readonly<Record<string, TopicKind>>;
