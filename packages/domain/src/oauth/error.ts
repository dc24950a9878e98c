import { ServiceError } from '@svc/contracts/errors'

/** The words in which OAuth refuses. RFC 6749, 7591, 8707. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type'

/** A refusal that the endpoints of OAuth answer by its own code; everything else answers it as any other refusal. */
export class OAuthError extends ServiceError {
  readonly word: OAuthErrorCode

  constructor(word: OAuthErrorCode, message: string) {
    super('validation_failed', message)
    this.word = word
  }
}
