import type { Sourced } from './tool.ts'

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
