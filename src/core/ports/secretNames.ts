const NAMES: readonly RegExp[] = [
  /^\.env(?:\.(?!(?:example|sample|template|dist|defaults|schema)$)[\w.-]+)?$/,
  /^(?!(?:.*\.)?(?:example|sample|template|dist|defaults|schema)\.env$)[\w.-]+\.env$/,
  /^\.envrc$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^(?:\.npmrc|\.pypirc|[._]netrc|\.git-credentials|\.pgpass|\.htpasswd|\.dockercfg|\.s3cfg|\.vault-token)$/,
  /^(?:\.?kubeconfig|kubeconfig\.ya?ml|[\w.-]+\.kubeconfig)$/,
  /\.(?:p12|pfx|jks|keystore|ppk|kdbx|keychain(?:-db)?)$/,
];

const PATHS: readonly RegExp[] = [
  /(?:^|\/)\.kube\/config$/,
  /(?:^|\/)\.aws\/credentials$/,
  /(?:^|\/)\.docker\/config\.json$/,
  /(?:^|\/)\.gnupg\/(?:private-keys-v1\.d\/.+|secring\.gpg)$/s,
];

/** Whether files of this name hold secrets as a rule, whatever is in this one. `path` may be a mere name. */
export function isSecretName(path: string): boolean {
  const plain = path.replaceAll('\\', '/').toLowerCase();
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  return NAMES.some((pattern) => pattern.test(name)) || PATHS.some((pattern) => pattern.test(plain));
}
