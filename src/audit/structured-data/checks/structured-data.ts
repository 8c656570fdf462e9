import { type CheckOutcome, defineCheck, type FactsOf, formatCount, formatShare, verdict } from '../../core/check.ts';
import type { SchemaBlock } from '../facts/json-ld.ts';
import { SCHEMA_ORG_VERSION } from '../facts/schema-org-data.ts';
import { findUnknownNames, type UnknownNames } from '../facts/unknown-names.ts';
import { buildEvidence } from '../../core/evidence.ts';

const JSON_LD = 'JSON-LD 1.1, https://www.w3.org/TR/json-ld11/';
const SCRIPTS = 'script[type="application/ld+json"]';
const MAX_UNKNOWN_PROPERTIES = 0.05;
const SHOWN = 5;

export const structuredDataChecks = [
  defineCheck({
    id: 'geo.schema.jsonld-present',
    title: 'JSON-LD exists',
    failureTitle: 'Add JSON-LD',
    weight: 3,
    grade: 'B',
    why: 'Structured data has a small but measured effect on being named in AI answers, and JSON-LD is the form that every consumer reads.',
    source:
      'https://schema.org/docs/gs.html; Ahrefs, comparison of pages before and after adding schema (+2.4% in AI Mode)',
    fix: 'Add one script of type application/ld+json that describes the page and its publisher.',
    capabilities: ['check_schema'],
    each: 'share',
    needs: ['start', 'page', 'jsonLd'],
    judge: judgePresent,
  }),
  defineCheck({
    id: 'geo.schema.parses',
    title: 'All JSON-LD blocks parse strictly',
    failureTitle: 'Repair JSON-LD blocks that do not parse',
    weight: 3,
    grade: 'A',
    why: 'A consumer that parses JSON as the standard says drops the whole block at the first fault.',
    source: `${JSON_LD}#embedding-json-ld-in-html-documents; RFC 8259, https://www.rfc-editor.org/rfc/rfc8259`,
    fix: 'Correct the JSON at the line and column shown, and write it with a JSON serialiser, not a template.',
    capabilities: ['check_schema'],
    each: 'share',
    needs: ['start', 'jsonLd'],
    judge: onBlocks(judgeParses),
  }),
  defineCheck({
    id: 'geo.schema.context',
    title: '@context is schema.org',
    failureTitle: 'Set @context to schema.org',
    weight: 1,
    grade: 'A',
    why: 'Without a context, names such as "Organization" stand for nothing.',
    source: `${JSON_LD}#the-context; https://schema.org/docs/developers.html`,
    fix: 'Begin every block with "@context": "https://schema.org".',
    capabilities: ['check_schema'],
    each: 'share',
    needs: ['start', 'jsonLd'],
    judge: onBlocks(judgeContext),
  }),
  defineCheck({
    id: 'geo.schema.known-types',
    title: 'Types and properties exist in schema.org',
    failureTitle: 'Use only types and properties that schema.org defines',
    weight: 1,
    grade: 'A',
    why: 'Consumers ignore a type or property that they do not know, so a misspelt name says nothing.',
    source: `https://github.com/schemaorg/schemaorg release ${SCHEMA_ORG_VERSION} (all sections)`,
    fix: 'Use the nearest schema.org name shown, or remove what the vocabulary does not have.',
    capabilities: ['check_schema'],
    each: 'share',
    needs: ['start', 'jsonLd'],
    judge: onBlocks(judgeNames),
  }),
];

function onBlocks(
  judge: (facts: FactsOf<'start' | 'jsonLd'>) => CheckOutcome,
): (facts: FactsOf<'start' | 'jsonLd'>) => CheckOutcome {
  return (facts) =>
    facts.jsonLd.blocks.length === 0 ? verdict.notApplicable('The page has no JSON-LD.') : judge(facts);
}

function judgePresent({ start, page, jsonLd }: FactsOf<'start' | 'jsonLd' | 'page'>): CheckOutcome {
  const blocks = jsonLd.blocks.filter((block) => block.fault?.reason !== 'empty');
  const [first] = blocks;
  if (first) {
    const wrapped = blocks.filter((block) => block.state === 'wrapped').length;
    const aside = wrapped === 0 ? '' : ` ${wrapped} in an HTML comment or CDATA section, which strict readers refuse.`;
    return verdict.pass(
      `${formatCount(blocks.length, 'JSON-LD block')}.${aside}`,
      buildEvidence(start.exchange, { line: first.line, selector: SCRIPTS }),
    );
  }
  const other = [
    ...(page.microdata.length > 0 ? ['microdata'] : []),
    ...(page.rdfaTypes.length + page.rdfaProperties.length > 0 ? ['RDFa'] : []),
  ];
  if (other.length > 0)
    return verdict.partial(
      0.5,
      `No JSON-LD, but ${other.join(' and ')}.`,
      buildEvidence(start.exchange, { selector: '[itemscope], [typeof], [property]' }),
    );
  const empty =
    jsonLd.blocks.length > 0 ? `${formatCount(jsonLd.blocks.length, 'JSON-LD script')}, all empty.` : 'No JSON-LD.';
  return verdict.fail(empty, buildEvidence(start.exchange, { selector: SCRIPTS }));
}

function judgeParses({ start, jsonLd }: FactsOf<'start' | 'jsonLd'>): CheckOutcome {
  const judged = jsonLd.blocks.filter((block) => block.state !== 'cut');
  if (judged.length === 0)
    return verdict.notApplicable('Every JSON-LD block is longer than we read, or still to be filled in.');
  const faulty = judged.filter((block) => block.state !== 'parsed');
  const note = `${judged.length - faulty.length} of ${formatCount(judged.length, 'block')} parse as JSON.${faultText(faulty)}`;
  const evidence = faulty
    .slice(0, SHOWN)
    .flatMap(({ fault }) =>
      fault ? [buildEvidence(start.exchange, { selector: SCRIPTS, line: fault.line, excerpt: fault.excerpt })] : [],
    );
  const share = (judged.length - faulty.length) / judged.length;
  return verdict.byShare(
    share,
    { passAt: 1, partialAt: 0.001 },
    note,
    evidence.length > 0 ? evidence : buildEvidence(start.exchange),
  );
}

const faultText = (blocks: readonly SchemaBlock[]): string =>
  blocks
    .slice(0, SHOWN)
    .map(({ fault }) => (fault ? ` Line ${fault.line}, column ${fault.column}: ${fault.reason}.` : ''))
    .join('');

const CONTEXTS = {
  near: 'names schema.org in a form that is not its identifier',
  foreign: 'is of another vocabulary',
  missing: 'is missing',
} as const;

function judgeContext({ start, jsonLd }: FactsOf<'start' | 'jsonLd'>): CheckOutcome {
  const readable = jsonLd.blocks.filter((block) => block.state === 'parsed' || block.state === 'wrapped');
  if (readable.length === 0) return verdict.notApplicable('No JSON-LD block can be read; see geo.schema.parses.');
  const wrong = readable.flatMap(({ context, line }) =>
    context === 'schema_org' || context === 'prefix' ? [] : [{ line, says: CONTEXTS[context] }],
  );
  const [first] = wrong;
  if (!first)
    return verdict.pass(
      `The context of ${formatCount(readable.length, 'block')} is schema.org.`,
      buildEvidence(start.exchange, { selector: SCRIPTS }),
    );
  const evidence = wrong.slice(0, SHOWN).map(({ line }) => buildEvidence(start.exchange, { line, selector: SCRIPTS }));
  return verdict.fail(
    `In ${wrong.length} of ${formatCount(readable.length, 'block')} the context is wrong: line ${first.line} ${first.says}.`,
    evidence,
  );
}

function judgeNames({ start, jsonLd }: FactsOf<'start' | 'jsonLd'>): CheckOutcome {
  const names = findUnknownNames(jsonLd);
  if (names.types + names.properties === 0)
    return verdict.notApplicable('No readable JSON-LD block uses schema.org names.');
  const share = names.properties === 0 ? 0 : names.unknownProperties.length / names.properties;
  const note =
    `${names.unknownTypes.length} of ${names.types} types and ${names.unknownProperties.length} of ${names.properties} properties ` +
    `(${formatShare(share)}) are not in schema.org ${SCHEMA_ORG_VERSION}.`;
  const unknown = [...names.unknownTypes, ...names.unknownProperties];
  const evidence = unknown
    .slice(0, SHOWN)
    .map((name) => buildEvidence(start.exchange, { selector: SCRIPTS, line: name.line, excerpt: suggestion(name) }));
  const typesKnown = names.unknownTypes.length === 0;
  const propertiesKnown = share <= MAX_UNKNOWN_PROPERTIES;
  if (typesKnown && propertiesKnown)
    return verdict.pass(note, evidence.length > 0 ? evidence : buildEvidence(start.exchange));
  return typesKnown || propertiesKnown ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

const suggestion = ({ name, nearest }: UnknownNames['unknownTypes'][number]): string =>
  nearest === undefined ? name : `${name} (nearest: ${nearest})`;
