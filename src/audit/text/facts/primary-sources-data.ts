/** The day this list was last looked through. */
export const PRIMARY_SOURCES_DATE = '2026-11-21';

/** Top-level domains, and second levels of countries, that only public bodies and places of research get. */
export const PRIMARY_SUFFIXES = 'gov mil edu int';
export const PRIMARY_SECOND_LEVELS = 'gov govt gouv gob gub gv go gc mil ac edu';

/** Registrable domains (or hosts) of those who make the law, the standard, the statistics or the study. */
export const PRIMARY_DOMAINS =
  'europa.eu admin.ch bund.de bundesregierung.de bundestag.de destatis.de gesetze-im-internet.de bundesbank.de rki.de gouvernement.fr insee.fr ' +
  'legifrance.gouv.fr istat.it ine.es boe.es cbs.nl overheid.nl rijksoverheid.nl canada.ca statcan.gc.ca scb.se riksdagen.se stat.fi dst.dk ssb.no ' +
  'nhs.uk parliament.uk bankofengland.co.uk bundesanzeiger.de ' +
  'un.org who.int worldbank.org imf.org oecd.org wto.org ilo.org unesco.org unicef.org iea.org ipcc.ch bis.org iaea.org ' +
  'rfc-editor.org ietf.org iana.org w3.org whatwg.org iso.org iec.ch itu.int ieee.org ecma-international.org tc39.es unicode.org oasis-open.org ' +
  'schema.org json-schema.org openapis.org etsi.org din.de bsigroup.com ansi.org khronos.org opengroup.org modelcontextprotocol.io ' +
  'doi.org arxiv.org biorxiv.org medrxiv.org ssrn.com jstor.org zenodo.org osf.io nature.com science.org sciencedirect.com springer.com wiley.com ' +
  'acm.org aclanthology.org openreview.net plos.org pnas.org bmj.com thelancet.com nejm.org cell.com cochranelibrary.com usenix.org mpg.de cern.ch ' +
  'developer.mozilla.org learn.microsoft.com developer.apple.com docs.python.org kernel.org postgresql.org';

/** First labels of hosts where makers document their own product. */
export const OWN_DOCS_LABELS = 'docs developer developers';
/** Hosts that begin so and hold what their users write. */
export const NOT_OWN_DOCS = 'docs.google.com';
