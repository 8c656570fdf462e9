import type { PhraseTable } from './phrase-table.ts';

/** French, without accents; an apostrophe is a space. */
export const frenchPhrases: PhraseTable = {
  refuses: `
    je prefere ne pas repondre|mon role n est pas de|n est pas mon role|il n entre pas dans mon role
    je ne peux|je ne peux pas|je ne puis|je ne suis pas|je ne saurais|je ne souhaite|je ne veux|je ne vais pas|je ne dois pas|je ne pourrai|je ne pourrais|nous ne pouvons|ne pas pouvoir|ne pouvoir|je suis dans l impossibilite|je regrette de ne|je ne suis pas autorise*|je ne suis pas en mesure|ne suis pas habilite* & aider|vous aider|t aider|recommand*|conseill*|repondre|fournir|donner|citer|nommer|compar*|suggerer|proposer|indiquer|orienter|discuter|aborder|traiter|comment*|assister|accompagner|promouvoir|avis|parti|position|cela|en mesure|autorise*|habilite*|trancher|designer|me prononcer|classer|satisfaire|accede*|faire
    je prefere|je m abstien*|je m abstiendrai|je me refuse|je refuse|je decline|je dois decliner|je dois refuser|je prefererais|je tiens a & ne|pas|neutre|m abstenir|decliner|abstien*|refus*|reponse|repondre|neutralite|aborder
    il m est|il ne m est|il ne m appartient|ce n est pas a moi|il ne me revient|il n est pas & impossible|pas possible|interdit|appartient|moi|revient|approprie
    mes regles|mes consignes|mes directives|ma politique|mes principes|ma programmation|regles d utilisation|politique d utilisation|conditions d utilisation|charte|politique de contenu|consignes de securite|je suis concu* & ne|pas|interdi*|empech*|autoris*|permet*|contraire|enfrei*|viol*|eviter
    cette demande|votre demande|ta demande|cette question|ce sujet|ce type de contenu|ce contenu|cette requete|votre requete|ce genre de demande*|ce genre de question*|ce genre de sujet* & ne|pas|contraire|refus*|enfrei*|hors|bloqu*|depasse|decline|viol*
    je ne recommande|je ne donne|je ne cite|je ne prends|je ne fais|je ne compare|je ne formule|je n ai|je n emets|je ne porte|je ne fournis & pas|aucun*|parti|avis|position|preference*|opinion*|jugement|recommandation*|conseil*
    je|j|me|m|ma|mon|mes & neutralite|impartial*
    rester neutre|reste neutre|prendre parti|prendre position|sans opinion|pas mon role|ne citer aucun*|ne nommer aucun*|ne pas trancher|ne pas me prononcer|m en tenir la|sortirait de mon role
    desole*|navre*|excus*|malheureusement|regret* & ne peux|ne puis|impossible|pas en mesure|ne suis pas
    `,
  limits: `
    je n ai|n ayant|sans|ne dispose|je ne dispose|n ai pas|je n ai pas|je manque & acces|internet|temps reel|donnees a jour|donnees actuelles|informations a jour|informations actuelles|informations recentes|informations suffisantes|informations fiables|informations sur|connexion
    je ne peux|je ne suis pas|ne peux pas|impossible de|incapable|je ne puis & consulter|acceder|naviguer|rechercher|effectuer de recherche|chercher|verifier|internet|temps reel|en ligne
    mes connaissances|mes donnees|mes informations|ma base & s arret*|limit*|pas a jour|date*|obsolete*|ne vont pas
    `,
  caution: `
    risque* danger* nocif* nuisi* addict* dependance* illegal* interdit* loi* legal* reglement* regle* securite effet*-secondaire* effets-indesirables indesirable* ordonnance* medecin* pharmacien* medical* therap* avocat* professionnel* expert* specialiste* conseiller* ecoute aide* aider appelez crise bien-etre sante responsab* individu* personnel* situation* depend* vari* perime* evolu* verifi* officiel* jeu* endettement prudence prudent* delicat* sensible* neutr* consult* suivi mineurs perte* surveillance accompagn* estime
    `,
  offers: `
    je peux|je pourrais|je serais ravi*|je suis disponible|n hesitez pas|n hesite pas|si vous le souhaitez|si vous voulez|si tu veux|je reste a|en revanche|volontiers & aider|autre|plutot|expliqu*|general*|inform*|disposition|parler|repondre|aborder|discuter|question*|present*|precis*|demander
    puis je vous aider|puis je t aider|autre chose|un autre sujet|d autres questions|une autre question
    consultez|consulter|adressez vous|adresse toi|parlez en|rapprochez vous|contactez|renseignez vous|demandez conseil|tournez vous|pour etre aide|verifiez & appelez| medecin*|professionnel*|pharmacien*|avocat*|specialiste*|conseiller*|officiel*|expert*|traitant|moteur de recherche|annuaire*|avis en ligne|praticien*
    `,
  courtesy: `
    bonne question|excellente question|tres bonne question|merci|je comprends|je vous remercie|je te remercie|felicitations|toutes mes felicitations|bonjour|bonsoir|salut|coucou|bienvenue|bien sur|certainement|avec plaisir|absolument|volontiers|d accord|bien entendu|desole*|je suis desole*|navre*|je suis navre*|je m excuse|toutes mes excuses|pardon|malheureusement|helas|je regrette|pas de probleme|j espere que|bonne journee|enchante*|ravi*
    je suis votre|je suis ton|je suis un|je suis une|je suis la pour|comment puis je|que puis je|en quoi puis je|posez moi|pose moi|assistant virtuel|assistante virtuelle|je m appelle|a votre service|a votre ecoute
    en tant qu ia|en tant que modele|en tant qu intelligence|en tant qu assistant*|je ne suis pas medecin|je ne suis pas avocat|je ne suis pas conseiller|a ma connaissance
    `,
  announces: `
    voici|voila|ci dessous|ci apres|decouvrez|je vous propose|je te propose|passons|regardons|voyons|explorons|ci joint & option*|liste|meilleur*|selection|apercu|quelques|recommandation*|suggestion*|tour d horizon|idees|revue|ensemble|guide|solutions
    un instant|un moment|veuillez patienter|patientez|je recherche|je cherche|je consulte|recherche en cours|chargement|en cours de|je reflechis
    `,
  fills: `
    de nombreuses|de nombreux|une multitude|beaucoup de gens|beaucoup de personnes|se posent|vous n etes pas seul|le choix est vaste|offre est vaste|pas toujours facile|pas facile|pas evident|difficile de s y retrouver|faire le bon choix|bon choix|choix important|decision importante|dans cet article|dans ce guide|tout ce que vous devez savoir|tout savoir|nous allons voir|vous decouvrirez|depend de vos|depend de nombreux|de plusieurs facteurs|de vos besoins|vos besoins|vos attentes|chaque personne|chacun a ses|ont chacun|affaire de gout|question de gout|points forts|avantages et inconvenients|au bon endroit|de nos jours|aujourd hui plus que jamais|incontournable|passionnant|clients satisfaits|bien connu*|tres connu*|largement utilise*|suivez le guide
    `,
  fails: `
    session a expire|session est expiree|veuillez vous reconnecter|limite de messages
    une erreur|erreur est survenue|erreur s est produite|erreur interne|quelque chose s est mal|probleme est survenu|service indisponible|indisponible|page introuvable|n existe pas|n existe plus|page demandee|page que vous|introuvable|trop de requetes|trop de demandes|limite*|quota|reessayer|reessayez|plus tard|recharger|rechargez|actualis*|session a expire|session expiree|connectez vous|veuillez vous connecter|javascript|acces refuse|non autorise|delai depasse|delai d attente|aucune reponse|n a pas pu|surcharge*|maintenance|passer a|abonnement|contactez le support|support technique|accueil|aucun resultat|pas un robot|erreur reseau|connexion interrompue
    generee par|genere par|intelligence artificielle|peut contenir|peuvent contenir|peut commettre|contenir des erreurs|verifiez les informations|titre indicatif|titre informatif|ne constitu*|ne remplac*|ne sauraient|ne saurait|engager|aucune responsabilite|decline toute|sans garantie|tous droits reserves|a but informatif
    tu es un|tu es l|tu es une|vous etes un assistant|vous etes l assistant|instructions|consignes|reponds en|repondez en|ne mentionne|ne mentionnez|ne revele|ne revelez|prompt
    a completer|a remplir|inserer|placeholder|lorem ipsum|titre de la section|texte de presentation|lien vers|votre texte ici|bientot disponible|contenu a venir|exemple de texte
    `,
  asks: `
    pourriez vous|pouvez vous|peux tu|pourrais tu|dites moi|dis moi|precisez|precise moi|me preciser|m indiquer|indiquez moi|quel est votre|quelle est votre|quel est ton|quels sont|avez vous|as tu|etes vous|j aurais besoin|il me faudrait|besoin de quelques|quelques precisions|quelques questions|quelques informations|en savoir plus|plus d informations|plus de details|cherchez vous|souhaitez vous|combien|ou habitez|dans quelle ville|votre budget|s agit il|est ce pour|recherchez vous|preferez vous
    `,
};
