import { atOnce, countOf, require } from './at-once.ts'
import { type Race, many, parallel } from './scene.ts'

/** Notifications that are read while what they are about goes away. */
export const notificationRaces = {
  async 'notifications that are read while their causes go never wait in a circle'(world) {
    const { mission, project } = await world.missionWith(many(24).map(String), parallel)
    const launcher = await world.person('admin')
    const runner = await world.connectedRunner(project, { owner: launcher })
    for (const objective of mission.objectives) {
      await launcher.launch(objective)
      await runner.failed(await runner.take())
    }
    const unread = async () =>
      (await launcher.call('listNotifications', { state: 'unread', limit: 100 })).notifications
    const notificationIds = (await unread()).map(({ id }) => id)
    require(notificationIds.length === 24, `${notificationIds.length} of 24 were notified`)
    const objectiveIds = mission.objectives.map(({ id }) => id).toReversed()
    const came = await atOnce([
      () => launcher.call('readNotifications', {}),
      () => launcher.call('deleteObjectives', { objectiveIds, confirm: true }),
      ...mission.objectives.slice(0, 8).map((one) => () => launcher.launch(one)),
      () => launcher.call('readNotifications', { notificationIds }),
      () => launcher.call('readNotifications', {}),
      () => launcher.call('deleteMissions', { missionIds: [mission.id], confirm: true }),
    ])
    const reads = [came[0], came.at(-3), came.at(-2)]
    require(countOf(reads.map(String), 'done') === 3, `one was not read: ${came.join()}`)
    require((await unread()).length === 0, 'all are read')
  },
} satisfies Record<string, Race>
