import { expect } from 'vitest'

export const refused = (code: string, ...words: string[]) => ({
  code: 5,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^${code}: .*${words.join('.*')}`)),
})
