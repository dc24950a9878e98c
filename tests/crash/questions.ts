import { expireQuestions } from '@svc/domain/questions/expire'
import { sql } from 'kysely'
import { type Prepare, type Scene, attached, loop, protocol, route, scene } from './scene.ts'

async function asked(at: Scene) {
  const { agent, lease } = await attached(at)
  const { questionId: id } = await agent.ask()
  return { id, lease }
}

/** What an agent asks, and what becomes of it. */
export const questionOperations = {
  async ask(world) {
    const at = await scene(world)
    const { agent } = await attached(at)
    const question = { sessionKey: agent.sessionKey(), question: 'Tabs or spaces?' }
    return { ...at, call: protocol(at.runner, 'ask', question) }
  },
  async answer(world) {
    const at = await scene(world)
    const { id } = await asked(at)
    return { ...at, call: route(at.alice, 'answerQuestion', { id, text: 'Tabs.' }) }
  },
  async 'answer to a parked run'(world) {
    const at = await scene(world)
    const { id, lease } = await asked(at)
    await at.runner.exited(lease)
    return { ...at, call: route(at.alice, 'answerQuestion', { id, text: 'Tabs.' }) }
  },
  async expiry(world) {
    const at = await scene(world)
    const { id } = await asked(at)
    // for this one alone: the days in which nobody answers would outlast the tokens of the others
    await sql`update questions set expires_at = app.now() - interval '1 s' where id = ${id}`.execute(
      world.domain.db,
    )
    return { ...at, call: loop(expireQuestions) }
  },
} satisfies Record<string, Prepare>
