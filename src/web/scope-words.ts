import type { PageLanguage } from './language/language.ts';

/** What payers can let an app do, in German: an app that people register can ask for nothing else. */
const germanScopes: Readonly<Record<string, string>> = {
  'audit:run':
    'die Werkzeuge des geschützten MCP-Endpunkts benutzen, Ihre Berichte lesen, Ihre Überwachungen ansehen, anhalten und löschen und Ihre Hosts verwalten',
  'credits:use': 'Ihr Guthaben ausgeben, auch durch Überwachungen, die sie anlegt oder ändert, bis zum Tageslimit',
};

/** What a scope means, in words. @param text the service's own, in English */
export const getScopeText = (scope: string, text: string, language: PageLanguage): string =>
  language === 'de' && Object.hasOwn(germanScopes, scope) ? (germanScopes[scope] ?? text) : text;
