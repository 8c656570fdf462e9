/** How twelve languages name the page about who runs a site, in link texts. Latin words are lower case. */
export const ABOUT_TEXTS =
  'about|about us|about me|who we are|our story|our company|company|über uns|über mich|wer wir sind|das unternehmen|unternehmen|' +
  'à propos|a propos|qui sommes-nous|notre histoire|l’entreprise|acerca de|sobre nosotros|sobre mí|quiénes somos|quienes somos|nosotros|' +
  'chi siamo|su di noi|azienda|la nostra storia|sobre|sobre nós|quem somos|a empresa|over ons|over mij|wie zijn wij|ons verhaal|' +
  'о нас|о компании|о себе|кто мы|关于我们|关于|關於我們|公司简介|会社概要|会社案内|私たちについて|当社について|運営会社|' +
  '회사 소개|회사소개|소개|من نحن|معلومات عنا|عن الشركة|نبذة عنا';

/** How they name the page that says how to reach its owner. */
export const CONTACT_TEXTS =
  'contact|contact us|contact me|contacts|get in touch|reach us|kontakt|kontaktieren sie uns|impressum|imprint|' +
  'contactez-nous|nous contacter|contacto|contáctanos|contactar|contáctenos|contatti|contattaci|contato|fale conosco|contacte-nos|' +
  'neem contact op|контакты|контакт|связаться с нами|обратная связь|联系我们|联系方式|聯絡我們|お問い合わせ|問い合わせ|お問合せ|' +
  '문의하기|문의|연락처|اتصل بنا|تواصل معنا|للتواصل';

/** Last or only path segments of such pages, without an extension. */
export const ABOUT_PATHS =
  'about|about-us|aboutus|about-me|who-we-are|our-story|company|ueber-uns|uber-uns|über-uns|ueber-mich|unternehmen|a-propos|apropos|' +
  'qui-sommes-nous|acerca-de|acerca|sobre|sobre-nosotros|quienes-somos|nosotros|chi-siamo|azienda|sobre-nos|quem-somos|over-ons|over-mij|' +
  'o-nas|o-kompanii|about_us|om|om-oss|hakkimizda|关于我们|会社概要';

export const CONTACT_PATHS =
  'contact|contact-us|contactus|contacts|get-in-touch|kontakt|impressum|imprint|contactez-nous|nous-contacter|contacto|contactanos|' +
  'contatti|contattaci|contato|fale-conosco|kontakty|contact_us|inquiry|otoiawase|iletisim';
