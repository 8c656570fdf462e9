/**
 * First words of a label that says what the name after it is good for ("Best overall: Acme", "For small teams: Acme"),
 * in lower case. English, German, French, Spanish.
 */
export const labelStarts: ReadonlySet<string> = new Set(
  `best top overall budget premium cheapest winner runner-up runnerup runners-up editor's editors' honorable honourable
  most our my also good great ideal easiest fastest simplest alternative alternatives option choice pick recommended
  recommendation recommendations verdict value for if when to another bonus try consider use choose pick go
  beste bester bestes testsieger preistipp preis-leistungs-sieger preis-leistungs-tipp empfehlung alternative für wenn günstigste günstigster
  meilleur meilleure meilleurs meilleures pour si gagnant recommandation coup
  mejor mejores ganador recomendado recomendación para`.split(/\s+/u),
);

/** Second words that make a label of a capitalised first word ("Best Overall", but not "Best Buy" or "Top Producer"). */
export const labelSeconds: ReadonlySet<string> = new Set(
  `overall value budget for free choice pick picks option options rated premium cheap affordable alternative alternatives
  enterprise beginner beginners simple lightweight all-round all-rounder all-in-one runner-up open-source local small
  large design performance battery sound support quality price entry-level mid-range high-end luxury upgrade splurge
  gesamt insgesamt gesamtpaket preis-leistung choix rapport qualité opción general calidad`.split(/\s+/u),
);
