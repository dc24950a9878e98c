/**
 * How a secret looks that nothing names: `begins` as it stands there, and behind it what `follows`. `soFar` matches
 * whatever of that may have come of one that is not whole yet. Sources of regular expressions over latin1 text.
 */
export interface SecretForm {
  begins: string
  follows: string
  soFar: string
  /** Characters, at most. */
  longest: number
  /** `begins` is shown, and what follows it is masked. */
  showsBeginning?: true
}

const tokens: readonly (readonly [
  begins: string,
  characters: string,
  least: number,
  most: number,
])[] = [
  // tokens of this service
  ['svcut_', '[0-9A-Za-z]', 40, 60],
  ['svcoa_', '[0-9A-Za-z]', 40, 60],
  ['svcrt_', '[0-9A-Za-z]', 20, 130],
  ['sess_', '[0-9A-Za-z_-]', 40, 60],
  ['whsec_', '[0-9A-Za-z+/=_-]', 20, 90],
  // keys of the providers whose models work here
  ['sk-ant-', '[0-9A-Za-z_-]', 20, 200],
  ['sk-proj-', '[0-9A-Za-z_-]', 20, 250],
  ['sk-svcacct-', '[0-9A-Za-z_-]', 20, 250],
  ['sk-or-v1-', '[0-9A-Za-z]', 20, 100],
  ['AIza', '[0-9A-Za-z_-]', 35, 35],
  ['hf_', '[0-9A-Za-z]', 30, 60],
  // tokens of hosts for repositories and packages
  ['ghp_', '[0-9A-Za-z]', 36, 255],
  ['gho_', '[0-9A-Za-z]', 36, 255],
  ['ghu_', '[0-9A-Za-z]', 36, 255],
  ['ghs_', '[0-9A-Za-z]', 36, 255],
  ['ghr_', '[0-9A-Za-z]', 36, 255],
  ['github_pat_', '[0-9A-Za-z_]', 22, 255],
  ['glpat-', '[0-9A-Za-z_.-]', 20, 300],
  ['npm_', '[0-9A-Za-z]', 36, 36],
  // secrets of other services that an agent meets
  ['xoxa-', '[0-9A-Za-z-]', 10, 250],
  ['xoxb-', '[0-9A-Za-z-]', 10, 250],
  ['xoxe-', '[0-9A-Za-z-]', 10, 250],
  ['xoxo-', '[0-9A-Za-z-]', 10, 250],
  ['xoxp-', '[0-9A-Za-z-]', 10, 250],
  ['xoxr-', '[0-9A-Za-z-]', 10, 250],
  ['xoxs-', '[0-9A-Za-z-]', 10, 250],
  ['xapp-', '[0-9A-Za-z-]', 10, 250],
  ['sk_live_', '[0-9A-Za-z]', 16, 250],
  ['rk_live_', '[0-9A-Za-z]', 16, 250],
  ['AKIA', '[0-9A-Z]', 16, 16],
  ['ASIA', '[0-9A-Z]', 16, 16],
]

/** The secret part of an AWS key has no recognizable form: it is found by the name before it. */
const awsSecrets = ['aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY', 'SecretAccessKey'].map(
  (begins): SecretForm => ({
    begins,
    follows: `[\\s"'\\\\]{0,5}[=:][\\s"'\\\\]{0,5}[0-9A-Za-z+/]{40}`,
    soFar: `[\\s"'\\\\=:]{0,11}[0-9A-Za-z+/]{0,39}`,
    longest: 80,
  }),
)

/** Who an address lets in; `git` is nobody in particular. */
const userOfUrl: SecretForm = {
  begins: '://',
  follows: `(?!git@)[^\\s/?#"'<>\\\\]{1,200}(?=@)`,
  soFar: `[^\\s/?#"'<>\\\\]{0,200}`,
  longest: 204,
  showsBeginning: true,
}

// Base64 and headers, over lines that may be escaped; one that was cut is masked as far as it goes.
const inKey = `(?:(?!-----END)[0-9A-Za-z+/=\\s\\\\:,-])`
const privateKeys = ['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED ', 'PGP '].map(
  (kind): SecretForm => ({
    begins: `-----BEGIN ${kind}PRIVATE KEY`,
    follows: `(?: BLOCK)?-----${inKey}{0,8000}(?:-----END ${kind}PRIVATE KEY(?: BLOCK)?-----)?`,
    soFar: `[ BLOCK]{0,6}-{0,5}${inKey}{0,7999}(?:-----END[A-Z -]{0,40})?`,
    longest: 8_100,
  }),
)

export const secretForms: readonly SecretForm[] = [
  ...tokens.map(([begins, characters, least, most]) => ({
    begins,
    follows: `${characters}{${least},${most}}`,
    soFar: `${characters}{0,${most - 1}}`,
    longest: begins.length + most,
  })),
  ...awsSecrets,
  userOfUrl,
  ...privateKeys,
]
