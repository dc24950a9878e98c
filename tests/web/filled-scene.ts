import type { World } from '@svc/domain/testing/open-world'
import { deliveredMission } from '../pages/delivered-mission.ts'

const words =
  'agent answer archive banner before branch bridge button cache change check column cookie copy court dark delay detail draft early edge engine error event export fail field file filter finish first folder forget form former frame gather grant group guard handle header history hold import index inner invite keep label later launch layer lease letter limit line listen load local machine margin measure member merge method middle mission model narrow network notice number object offer older option order outer owner packet page paper parent parse path pause phase picture place point policy press proof public queue quiet random reach reader reason record refuse region remove report reset result return review right round runner sample scale schema screen script search second secret section select server session settle shape share shell shift short signal single size sketch source space speed split stage start state status step store stream string style summary switch system table target theme thread title token topic total touch trace track trust under update upload usage value vendor verify version view visit voice wait watch wave wide window word worker write yield zone'.split(
    ' ',
  )

/** Words that look like what people write to whoever compresses them, the same each time. */
export function wordsOf(count: number, seed: number): string {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return words[Math.floor((state / 2_147_483_648) * words.length)] ?? ''
  }
  return Array.from({ length: count }, next).join(' ')
}

const markdown = (seed: number) =>
  `**${wordsOf(4, seed)}**\n\n${wordsOf(60, seed + 1)}\n\n- ${wordsOf(12, seed + 2)}\n- \`${wordsOf(1, seed + 3)}\` ${wordsOf(12, seed + 4)}`

/** A workspace in which the pages that people begin with have much to show; the paths of these below it. */
export async function filledPages(world: World): Promise<Readonly<Record<string, string>>> {
  const { project } = await world.alice.call('createProject', { name: 'Filled', slug: 'filled' })
  const runner = await world.connectedRunner(project)
  const ask = async (title: string, instructions: readonly [string, ...string[]], seed: number) => {
    const { mission } = await world.missionWith(instructions, { project, title })
    const { agent } = await world.attachedRun(mission.objectives[0], runner)
    await agent.ask({ question: markdown(seed), options: [{ id: 'a', label: wordsOf(3, seed) }] })
    return { mission, agent }
  }
  for (let seed = 1; seed <= 12; seed += 1) await ask(wordsOf(6, seed), [markdown(seed)], seed * 7)
  for (let seed = 1; seed <= 40; seed += 1) {
    await world.missionWith([wordsOf(8, seed)], { project, title: wordsOf(8, seed * 3) })
  }
  const instructions = Array.from({ length: 12 }, (_, index) => markdown(100 + index * 10))
  const { mission, agent } = await ask('Much to do', [markdown(90), ...instructions], 91)
  for (let seed = 1; seed <= 60; seed += 1) await agent.update({ text: wordsOf(20, seed * 5) })
  const { mission: delivered } = await deliveredMission(world)
  return {
    needs: '/',
    board: `/p/${project.slug}`,
    mission: `/m/${mission.displayId}`,
    review: `/m/${delivered.displayId}/review`,
  }
}
