import type { ResultName } from '../../../capabilities/capability-name.ts';
import type { CapabilityWords } from '../word-tables.ts';

/** What each capability is called over its report and as an offer, and what it gives. */
export const germanCapabilities: Readonly<Record<ResultName, CapabilityWords>> = {
  check_health: [
    'Zustand der Website',
    'Erreichbarkeit der Website, robots.txt, Zugang für drei benannte KI-Crawler, Sitemap',
  ],
  check_llms_txt: ['Prüfung der llms.txt', 'Ob es eine llms.txt gibt und wie gut sie ist: Abschnitte, Links, Zahlen'],
  check_schema: [
    'Prüfung strukturierter Daten',
    'Schema.org-Daten als JSON-LD: gefundene Typen, FAQ-Schema, Organization-Schema',
  ],
  check_agent_files: ['Prüfung der Agentendateien', 'openapi.json, ai-plugin.json und Zahlung mit x402'],
  check_mcp: ['Auffindbarkeit von MCP', 'Auffindbarkeit von MCP: /.well-known/mcp.json, agent.json, MCP Server Card'],
  score_aeo: ['AEO-Bewertung', 'AEO-Bewertung (Sichtbarkeit in der KI-Suche) von 0 bis 100, mit allen Prüfungen'],
  score_geo: ['GEO-Bewertung', 'GEO-Bewertung (Zitierfähigkeit) von 0 bis 100, mit allen Prüfungen'],
  score_agent: ['Bewertung der Eignung für Agenten', 'Eignung für Agenten von 0 bis 100, mit allen Prüfungen'],
  score_mcp: ['Bewertung der Eignung für MCP', 'Eignung für MCP von 0 bis 100, mit allen Prüfungen'],
  full_audit: ['Vollständige Prüfung', 'Alle vier Bewertungen und jede einzelne Prüfung mit Belegen'],
  generate_llms_txt: ['Erzeugte llms.txt', 'Eine fertige llms.txt, zugeschnitten auf die Website'],
  generate_mcp_json: ['Erzeugte mcp.json und agent.json', 'Fertige Dateien mcp.json und agent.json'],
  fix_pack: ['Korrekturpaket', 'Anleitungen zum Kopieren für jede nicht bestandene Prüfung'],
  generate_skill: ['Erzeugter Skill', 'Eine fertige SKILL.md, mit der Coding-Agenten die Korrekturen ausführen'],
  compare: ['Vergleich', 'Vergleich mit der Website eines Wettbewerbers: wer in jeder Kategorie vorn liegt und warum'],
  full_report: [
    'Vollständiger Bericht',
    'Vollständige Prüfung, Korrekturpaket, erzeugte llms.txt und mcp.json in einem',
  ],
  visibility_check: [
    'Sichtbarkeit in KI-Antworten',
    'Sichtbarkeit einer Marke in KI-Antworten: Nennungsrate, Anteil an allen Nennungen, und wer stattdessen empfohlen wird',
  ],
  visibility_vs_competitor: [
    'Sichtbarkeit zweier Marken',
    'Direkter Vergleich zweier Marken mit denselben 30 Fragen: Raten, Anteile an den Nennungen, Urteil',
  ],
  visibility_fix_pack: [
    'Korrekturpaket für Sichtbarkeit',
    'Fertiges Material: zitierfähige Absätze, FAQ als JSON-LD, Abschnitte für llms.txt',
  ],
  visibility_panel_2: [
    'Sichtbarkeit in zwei KI-Antwortmaschinen',
    'Eine Marke in zwei Antwortmaschinen zugleich: jede für sich, zusammen, und wo sie sich unterscheiden',
  ],
  seller_check: [
    'Verkäuferprüfung',
    'Ein bezahlter Endpunkt (x402, MPP), gelesen wie von einem Käufer: Bedingungen, Header, CORS, Uhr, Auffindbarkeit; an ihn wird nichts bezahlt',
  ],
  visibility_panel_4: [
    'Sichtbarkeit in vier KI-Antwortmaschinen',
    'Eine Marke in vier Antwortmaschinen zugleich: jede für sich, zusammen, und wo sie sich unterscheiden',
  ],
};
