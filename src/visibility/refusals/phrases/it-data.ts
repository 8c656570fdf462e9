import type { PhraseTable } from './phrase-table.ts';

/** Italian, without accents; an apostrophe is a space. */
export const italianPhrases: PhraseTable = {
  refuses: `
    non posso|non potrei|non possiamo|non mi e possibile|non e possibile|non sono in grado|non sono autorizzat*|non sono abilitat*|non devo|non dovrei|non intendo|non voglio|non mi e consentito|non mi e permesso|non spetta|non sta a me|non tocca a me|mi e impossibile|impossibilitat*|non saprei|non poter*|non me la sento & aiut*|consigli*|raccomand*|rispond*|fornir*|dare|dart*|offrir*|suggerir*|confront*|indicar*|nominar*|opinion*|autorizzat*|grado|farlo|parlar*|comment*|dir*|sceglier*|quest*|cio|segnal*|promuov*|valut*|citar*|assister*|a me|trattar*|pronunci*|esprim*|soddisf*
    preferisco|mi astengo|declino|devo declinare|rifiuto|devo rifiutare|evito|scelgo di & non|asten*|declin*|rifiut*|rispond*|neutral*|fermarmi|nomi
    le mie linee guida|le linee guida|linee guida|le mie regole|le mie politiche|la mia programmazione|norme d uso|condizioni d uso|politica sui contenuti|le mie istruzioni|sono progettat*|sono stat* progettat*|sono programmat* & non|impedi*|viet*|consent*|permett*|contrar*|viol*|evitar*|mantener*
    questa richiesta|la tua richiesta|la sua richiesta|questa domanda|questo argomento|questo tema|questo contenuto|questo tipo di rich*|questo tipo di conten*|questo tipo di dom*|questo genere di rich*|questo genere di dom*|tale richiesta & non|viol*|fuori|blocc*|contrar*|rifiut*|preferisco|esula
    non consiglio|non do|non offro|non prendo|non faccio|non confronto|non ho|non esprimo|non fornisco|non sostengo|non suggerisco & consigli*|parte|posizion*|opinion*|preferenz*|raccomandazion*|confront*|marc*|candidat*|giudizi
    mi|mio|mia|devo|sono|come ia|come assistente & neutralita|imparzial*
    restare neutrale|rimanere neutrale|essere neutrale|mantenere la neutralita|mantenermi neutrale|prendere posizione|prendere le parti|schierarmi|mi astengo|non mi pronuncio|non e mio compito|non e il mio ruolo
    mi dispiace|mi spiace|spiacente|scus*|purtroppo|sono desolat* & non posso|non mi e possibile|impossibile|non sono in grado|non poter*
    `,
  limits: `
    non ho|non dispongo|senza|non avendo|non disponendo|non ho attualmente|mi manca* & accesso|internet|tempo reale|dati aggiornati|informazioni aggiornate|informazioni sufficienti|informazioni attuali|informazioni su|informazioni affidabili|connessione
    non posso|non sono in grado|non mi e possibile|non riesco & navigare|cercare|accedere|consultare|verificare|internet|tempo reale|in rete|sul web|online|effettuare ricerche
    le mie conoscenze|i miei dati|le mie informazioni|il mio addestramento|il mio ultimo aggiornamento & non|ferm*|arriv*|limit*|aggiornat*
    `,
  caution: `
    risch* pericol* dann* nociv* dipendenz* illegal* viet* legg* legal* normativ* regol* sicurezza effetti-collaterali ricett* medic* farmacist* terap* avvocat* professionist* esperto* esperti* specialist* consulen* aiut* sostegno crisi benessere salut* responsab* individual* personal* circostanz* situazion* dipend* vari* aggiornat* cambi* verific* ufficial* gioco ludopat* scommess* perdit* cautela prudenza consult* minori delicat* neutral* fiducia
    `,
  offers: `
    posso|potrei|volentieri|con piacere|se vuoi|se vuole|se lo desideri|se preferisci|resto a|sono a disposizione|invece|saro felice|dimmi pure|fammi sapere & aiut*|altr*|spieg*|general*|inform*|parl*|invece|disposizione|domand*|prepar*|raccont*|quale
    posso aiutarti in|posso aiutarla in|posso aiutarti con|qualcos altro|altro argomento|altro tema|altre domande|un altra domanda|fammi sapere
    consulta|consulti|consultare|rivolgiti|si rivolga|rivolgersi|parla con|parlane|contatta|contatti|ti suggerisco|le suggerisco|ti consiglio di|le consiglio di|chiedi a|cerca su|verifica & medic*|professionist*|farmacist*|avvocat*|specialist*|consulent*|ufficial*|espert*|motore di ricerca|recensioni|google|albo|ordine
    `,
  courtesy: `
    bella domanda|ottima domanda|buona domanda|grazie|ti ringrazio|la ringrazio|capisco|comprendo|congratulazioni|complimenti|auguri|ciao|salve|buongiorno|buonasera|benvenut*|certo|certamente|certo che si|volentieri|con piacere|assolutamente|naturalmente|perfetto|mi dispiace|mi spiace|spiacente|scusa|scusami|mi scuso|le chiedo scusa|purtroppo|nessun problema|spero che|buona giornata|ops
    sono il tuo|sono il suo|sono la tua|sono un|sono una|sono qui per|come posso|in cosa posso|che cosa posso|cosa posso fare|assistente virtuale|mi chiamo|al tuo servizio|a tua disposizione|chiedimi|fammi una domanda
    come ia|essendo un ia|essendo un intelligenza|come modello|in quanto ia|in quanto modello|come intelligenza|come assistente|non sono un medico|non sono un avvocato|non sono un consulente|per quanto ne so
    `,
  announces: `
    ecco|di seguito|qui trovi|qui sotto|questi sono|queste sono|ti presento|vediamo|diamo|ti propongo|scopri|andiamo a & opzion*|list*|miglior*|panoramica|alcun*|qualche|consigl*|suggeriment*|alternative|selezione|proposte|occhiata|insieme|guida|elenco
    un momento|un attimo|attendi|attendere|aspetta|sto cercando|cerco|ricerca in corso|sto consultando|caricamento|elaborazione in corso|sto elaborando|fammi controllare|sto pensando
    `,
  fills: `
    molte persone|tante persone|molti si chiedono|tanti si chiedono|si chiedono|grande varieta|ampia gamma|vasta gamma|moltissim*|innumerevoli|numerose|tante opzioni|sempre piu|non e facile|non sempre e facile|non e semplice|puo essere difficile|puo sembrare|scelta giusta|giusta scelta|decisione importante|scelta importante|scegliere bene|in questo articolo|in questa guida|tutto quello che|tutto cio che|scoprirai|vedremo|dipende da molti|dipende da diversi|dipende dalle tue|tue esigenze|proprie esigenze|vostre esigenze|ogni persona|ognuno ha|ogni caso|questione di gusti|pregi e difetti|vantaggi e|punti di forza|posto giusto|al giorno d oggi|mai come oggi|oggigiorno|molto conosciut*|clienti soddisfatti|continua a leggere|entusiasmante
    `,
  fails: `
    pagina non trovata|sessione scaduta|sessione e scaduta|limite di messaggi|torna alla home|accedi di nuovo
    qualcosa e andato storto|si e verificato un errore|verificato un problema|c e stato un errore|un errore|errore interno|errore del server|errore imprevisto|errore durante|non e disponibile|non disponibile|pagina non trovata|non esiste|non trovat*|non e stata trovata|pagina che cerchi|troppe richieste|limite|limiti|quota|riprova|riprovare|riprovi|piu tardi|ricarica*|aggiorna la pagina|sessione e scaduta|sessione scaduta|accedi per|effettua l accesso|effettua il login|javascript|accesso negato|non autorizzat*|tempo scaduto|timeout|nessuna risposta|non e stato possibile|sovraccaric*|manutenzione|assistenza tecnica|contatta l assistenza|torna alla home|nessun risultato|sei umano|non sei un robot|errore di rete|abbonati
    generata da|generato da|intelligenza artificiale|puo contenere|possono contenere|puo commettere|contenere errori|verifica sempre|verifica le informazioni|scopo informativo|scopi informativi|puramente informativ*|non costituisc*|non sostituisc*|non ci assumiamo|si declina|nessuna responsabilita|senza garanzi*|tutti i diritti|titolo informativo
    sei un assistente|sei l assistente|sei un|sei una|istruzioni|rispondi in|rispondi sempre|rispondi con|non menzionare|non citare|non rivelare|prompt
    inserire|inserisci|da completare|da compilare|placeholder|segnaposto|lorem ipsum|titolo della|titolo qui|testo qui|testo di esempio|in arrivo|link al|prossimamente
    `,
  asks: `
    puoi|potresti|puo dirmi|potrebbe|mi puoi|dimmi|mi dica|raccontami|indicami|avrei bisogno|ho bisogno di|mi servirebbe|mi servono|vorrei sapere|qualche informazione|qualche dettaglio|piu informazioni|piu dettagli|qualche domanda|alcune informazioni|qual e il tuo|qual e il suo|quale budget|che budget|che tipo|quanto|quanta|quanti|quante|dove vivi|dove abiti|in che zona|in quale citta|hai|cerchi|preferisci|si tratta|e per|vuoi|stai cercando
    `,
};
