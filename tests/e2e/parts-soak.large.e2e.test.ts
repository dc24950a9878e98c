import { expect, test } from 'vitest'
import { soakParts } from '../soak/parts.ts'
import { hasOwnPostgres } from './support/own-postgres.ts'

/** As much as a share of the larger doses has room for; `npm run soak parts` takes 20. */
const minutes = 5
/** Besides, parts and database start, and what was under way is waited for. */
const ofMany = { timeout: 1_800_000 }

test.skipIf(!hasOwnPostgres)(
  'in parts under load nothing is lost or doubled while each is killed, drained and added, and the database, too',
  ofMany,
  async () => {
    const said: string[] = []
    const say = (text: string) => void said.push(text)
    const { figures, violations } = await soakParts({
      minutes,
      seed: 1,
      say,
      signal: new AbortController().signal,
    })
    expect({ violations, figures, said }).toMatchObject({ violations: 0 })
  },
)
