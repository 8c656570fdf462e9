/**
 * Takes the place of `@peculiar/x509` in the bundle of the Worker of models: certificates of authenticators are never asked for
 * (attestation is `none`), and what reads them is most of what passkeys would add to the bundle.
 * An authenticator that sends one all the same is refused, as the verifier refuses every statement that it cannot read.
 */
function refuseCertificate(): never {
  throw new Error('certificates of authenticators are not read');
}

export {
  refuseCertificate as AuthorityKeyIdentifierExtension,
  refuseCertificate as CRLDistributionPointsExtension,
  refuseCertificate as SubjectKeyIdentifierExtension,
  refuseCertificate as X509Certificate,
  refuseCertificate as X509ChainBuilder,
  refuseCertificate as X509Crl,
};
