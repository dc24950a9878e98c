import { describe } from 'vitest'
import { describeReading } from './describe-reading.ts'
import { schemes, widths } from './pages.ts'

describe('every page', () => {
  describeReading(
    'light and dark, on a laptop and a phone',
    schemes.flatMap((colorScheme) =>
      Object.values(widths).map((width) => ({ colorScheme, width })),
    ),
  )
})
