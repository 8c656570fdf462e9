import type { FailureWords, ReadFailure } from '../../../net/failure-words-data.ts';

/** What a failure to read a site means for people, and what to do about it. */
export const germanFailures: Readonly<Record<ReadFailure, FailureWords>> = {
  invalid_url: {
    means: 'Das ist keine Webadresse.',
    next: 'Schreiben Sie sie wie im Browser, zum Beispiel https://example.com/.',
  },
  scheme_refused: {
    means: 'Nur http- und https-Adressen können gelesen werden.',
    next: 'Verwenden Sie die https-Adresse der Seite, zum Beispiel https://example.com/page.',
  },
  credentials_refused: {
    means: 'Die Adresse enthält einen Benutzernamen oder ein Passwort.',
    next: 'Lassen Sie beides weg: Was eine Anmeldung braucht, ist auch für KI-Systeme nicht sichtbar.',
  },
  port_refused: {
    means: 'Gelesen werden nur die üblichen Ports von Websites.',
    next: 'Verwenden Sie die Adresse, die auch Besucher der Website verwenden.',
  },
  private_target: {
    means: 'Die Adresse führt in ein privates Netz.',
    next: 'Verwenden Sie die öffentliche Adresse der Website, oder prüfen Sie sie mit der Kommandozeile auf Ihrem eigenen Rechner.',
  },
  redirect_loop: {
    means: 'Die Website leitet im Kreis weiter.',
    next: 'Verfolgen Sie das mit curl -IL, und prüfen Sie die Weiterleitungen zwischen http und https sowie mit und ohne www.',
  },
  too_many_redirects: {
    means: 'Die Website leitet öfter weiter, als wir folgen.',
    next: 'Verfolgen Sie das mit curl -IL, und beginnen Sie mit der letzten Adresse, oder verkürzen Sie die Kette.',
  },
  bad_redirect: {
    means: 'Die Website leitet auf eine Adresse weiter, die nicht gelesen werden kann.',
    next: 'Prüfen Sie den Location-Header der Weiterleitung mit curl -I, und korrigieren Sie ihn.',
  },
  budget_exhausted: {
    means: 'Die Prüfung hat ihr Limit an Anfragen, Bytes oder Zeit erreicht, bevor sie diese Seite gelesen hatte.',
    next: 'Starten Sie die Prüfung noch einmal. Passiert das wieder, prüfen Sie, wie groß die Seite ist und wie lange sie lädt.',
  },
  encoding_refused: {
    means: 'Die Seite ist auf eine Weise komprimiert, die wir nicht verlangt haben.',
    next: 'Senden Sie gzip, Brotli oder keine Komprimierung, wie Accept-Encoding es erlaubt. curl -I zeigt den Header Content-Encoding.',
  },
  timeout: {
    means: 'Die Website hat nicht rechtzeitig geantwortet.',
    next: 'Prüfen Sie mit curl -I, ob der Server läuft und binnen Sekunden antwortet, und starten Sie die Prüfung noch einmal.',
  },
  connection_failed: {
    means:
      'Es kam keine Verbindung zustande: Der Name ist unbekannt, dort lauscht kein Server, oder eine Firewall oder ein Zertifikat hält uns auf.',
    next: 'Prüfen Sie Schreibweise, DNS-Einträge, Zertifikat und Firewall, zum Beispiel mit curl -I.',
  },
  body_failed: {
    means: 'Die Antwort begann und brach dann ab, oder sie konnte nicht entpackt werden.',
    next: 'Versuchen Sie es noch einmal. Passiert das wieder, prüfen Sie das Serverprotokoll sowie Content-Length und Content-Encoding der Seite.',
  },
  refused: {
    means: 'Die Website antwortet, weist aber jeden Leser ab, als der wir kamen.',
    next: 'Erlauben Sie die Prüfung in Ihrer Firewall oder Ihrem Bot-Schutz, oder prüfen Sie aus einem Netz, das Zugang hat.',
  },
};
