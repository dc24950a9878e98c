import type { Sourced } from './tool.ts'

/** As an API key has it whose account has no credit left. */
export const usedUp: Sourced = {
  source: 'https://platform.openai.com/docs/guides/error-codes (429 insufficient_quota)',
  refuse: () => ({
    status: 429,
    body: {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      },
    },
  }),
}

export const invalidKey: Sourced = {
  source: 'https://platform.openai.com/docs/guides/error-codes (401 invalid_api_key)',
  refuse: () => ({
    status: 401,
    body: {
      error: {
        message: 'Incorrect API key provided.',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_api_key',
      },
    },
  }),
}
