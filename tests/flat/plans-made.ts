import pg from 'pg'
import { vi } from 'vitest'

export interface PlansMade {
  text: string
  /** How often it was planned for the values that it came with. */
  forValues: number
  /** How often the plan that is kept for any values served. */
  any: number
}

/** How the server came to its plans for what this process sent again and again while `work` ran. */
export async function plansMade(work: () => Promise<unknown>): Promise<PlansMade[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  const connections = new Set<pg.Client>()
  try {
    await work()
    // a client is what its method is called on
    for (const client of spy.mock.contexts as pg.Client[]) connections.add(client)
  } finally {
    spy.mockRestore()
  }
  const answers = await Promise.all([...connections].map(askForPlans))
  return answers.flatMap(({ rows }) => rows)
}

const askForPlans = (connection: pg.Client) =>
  connection.query<PlansMade>(
    `select statement as text, custom_plans::int as "forValues", generic_plans::int as "any"
       from pg_prepared_statements`,
  )
