export interface TestVector {
  name: string
  secret: string
  /** Unix seconds; verify with this as now. */
  timestamp: number
  /** Hex of the raw body. */
  bodyHex: string
  /** X-Svc-Signature. */
  header: string
}

const secret = 'whsec_dGVzdC12ZWN0b3Itc2VjcmV0LW9mLTMyLWJ5dGVzISE'

/** Signatures made with `openssl dgst -sha256 -hmac`, for whoever writes a verifier. */
export const testVectors: readonly TestVector[] = [
  {
    name: 'compact JSON',
    secret,
    timestamp: 1735689600,
    bodyHex: [
      '7b226964223a2230313934316632392d376330302d373030302d383030302d3030303030',
      '30303030303031222c2274797065223a226d697373696f6e2e63726561746564227d',
    ].join(''),
    header: 't=1735689600,v1=5ea9346a0be0fd2d00cccd85b7f68815bf39fb7bd5c4b6a14014dfaa61922dc0',
  },
  {
    name: 'an empty body',
    secret,
    timestamp: 1735689601,
    bodyHex: '',
    header: 't=1735689601,v1=7d5789f184c6613b59d1df0db49b741524da571b95c3b4134c82837bf9337119',
  },
  {
    name: 'accents, CJK, an emoji and U+2028',
    secret,
    timestamp: 1735689602,
    bodyHex: [
      '7b226964223a22c3a9222c2274657874223a22e697a5e69cac20f09f9a8020e280a82065',
      '6e64227d',
    ].join(''),
    header: 't=1735689602,v1=daf1a228b8f7141cf9cabe5b3c8fc2668e4e2f181100c68b2427ee3335bc25d3',
  },
  {
    name: 'bytes that are not UTF-8 (a lone surrogate)',
    secret,
    timestamp: 1735689603,
    bodyHex: '7b2274657874223a22eda0bd227d',
    header: 't=1735689603,v1=6094bd2e36eb185b36069e65bcc56cd732959cdd359b7b2801ae270a653f5998',
  },
  {
    name: 'white space that a parser would lose',
    secret,
    timestamp: 1735689604,
    bodyHex: '7b0a20202273706163656422203a20747275650d0a7d0a',
    header: 't=1735689604,v1=78ea6f2372e2f099d0daa233cdf670946d4bad9f1ff9072251edd8b378c3dad8',
  },
]
