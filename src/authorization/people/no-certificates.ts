/**
 * Takes the place of `@peculiar/x509` in the bundle of the api Worker: certificates of authenticators are never asked for
 * (attestation is `none`), and what reads them is a seventh of what passkeys add to the bundle.
 * An authenticator that sends one all the same is refused, as the verifier refuses every statement that it cannot read.
 */
const refuse = (): never => {
  throw new Error('certificates of authenticators are not read');
};

class Unread {
  constructor() {
    refuse();
  }
}

export {
  Unread as AuthorityKeyIdentifierExtension,
  Unread as CRLDistributionPointsExtension,
  Unread as SubjectKeyIdentifierExtension,
  Unread as X509Certificate,
  Unread as X509ChainBuilder,
  Unread as X509Crl,
};
