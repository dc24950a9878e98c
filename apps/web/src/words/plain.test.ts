import { expect, test } from 'vitest'
import { plain } from './plain.ts'

test.each([
  ['The theme is in a **cookie** of `boot.ts`.', 'The theme is in a cookie of boot.ts.'],
  ['# Done\n\nAll of it.', 'Done\n\nAll of it.'],
  ['2 ** 3 and __init__ and a ` alone', '2 ** 3 and __init__ and a ` alone'],
])('%j is read as a line', (markdown, line) => expect(plain(markdown)).toBe(line))
