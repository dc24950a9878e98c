import pg from 'pg'
import { vi } from 'vitest'
import { type Sent, hasPlan } from './sent.ts'

export interface PlansMade {
  text: string
  /** How often it was planned for the values that it came with. */
  forValues: number
  /** How often the plan that is kept for any values served. */
  any: number
}

interface Planned {
  prepared: PlansMade[]
  /** Texts that came again and were not prepared: parsed and planned each time. */
  unprepared: string[]
}

/** How the server came to its plans for what this process sent again and again while `work` ran. */
export async function plansMade(work: () => Promise<unknown>): Promise<Planned> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  const connections = new Set<pg.Client>()
  const unnamed: string[] = []
  try {
    await work()
    // a client is what its method is called on
    for (const client of spy.mock.contexts as pg.Client[]) connections.add(client)
    for (const [given] of spy.mock.calls as unknown[][]) {
      const { text, name } =
        typeof given === 'string' ? { text: given } : (given as Sent & { name?: string })
      if (name === undefined && hasPlan.test(text)) unnamed.push(text)
    }
  } finally {
    spy.mockRestore()
  }
  const found = await Promise.all([...connections].filter(isOpen).map(askForPlans))
  return { prepared: found.flatMap(({ rows }) => rows), unprepared: repeated(unnamed) }
}

/** A text is prepared when it comes for the second time, so that it may come once without. */
function repeated(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) < index))]
}

const askForPlans = (connection: pg.Client) =>
  connection.query<PlansMade>(
    `select statement as text, custom_plans::int as "forValues", generic_plans::int as "any"
       from pg_prepared_statements`,
  )

/** The pool closes what was idle for a while. The types of pg leave out the connection that every client has. */
function isOpen(client: pg.Client): boolean {
  const { connection } = client as unknown as { connection: { stream: { destroyed: boolean } } }
  return !connection.stream.destroyed
}
