import type { Buckets } from '@svc/http/buckets'
import type { ApiParts } from '../parts.ts'

export interface OAuthOptions {
  /** Whether a client may be known by the address of a document that describes it. */
  takesDocuments: boolean
}

export interface OAuthParts extends ApiParts, OAuthOptions {
  /** How often such documents may be fetched for a network. */
  fetches: Buckets
}
