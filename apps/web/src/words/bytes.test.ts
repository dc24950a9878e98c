import { expect, test } from 'vitest'
import { bytesInWords } from './bytes.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [812, '812 bytes'],
  [41_234, '41.2 KB'],
  [412_345, '412 KB'],
  [12_400_000, '12.4 MB'],
  [3_000_000_000, '3 GB'],
])('%i bytes are %s', (count, words) => {
  expect(bytesInWords(count)).toBe(words)
})
