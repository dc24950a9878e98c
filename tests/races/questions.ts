import { atOnce, countOf, require } from './at-once.ts'
import { type Race, attachedBeside, many } from './scene.ts'

/** Questions that are answered while their run ends or goes on. */
export const questionRaces = {
  async 'an answer, the end of its agent and a cancel at once leave no run without its question'(
    world,
  ) {
    for (let round = 0; round < 6; round += 1) {
      const { alice, agent, lease, runner } = await attachedBeside(world, {})
      const { questionId } = await agent.ask()
      await atOnce([
        ...many(16).map(() => () => alice.answer(questionId)),
        () => runner.exited(lease),
        ...(round % 2 === 0 ? [] : [() => alice.call('cancelExecutionRequest', { id: lease.id })]),
        () => agent.heartbeat(),
        () => world.settle(),
      ])
    }
  },

  async 'an answer and a resume at once, of a run that is or will be parked, go on with it once'(
    world,
  ) {
    for (let round = 0; round < 4; round += 1) {
      const { alice, mission, agent, lease, runner } = await attachedBeside(world, {})
      const { questionId } = await agent.ask()
      if (round % 2 === 0) await runner.exited(lease)
      const came = await atOnce([
        ...many(4).flatMap(() => [
          () => alice.answer(questionId),
          () => alice.resume(mission.objectives[0]),
        ]),
        () => runner.exited(lease),
      ])
      const answers = came.filter((_, index) => index < 8 && index % 2 === 0)
      require(countOf(answers, 'done') > 0, `no answer was taken: ${came.join()}`)
      const requests = await alice.requestsOf(mission)
      const live = requests.filter(({ status }) => status === 'queued')
      require(live.length === 1, `${live.length} go on with it: ${came.join()}`)
      await runner.take()
    }
  },
} satisfies Record<string, Race>
